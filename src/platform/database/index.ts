export { ServerStartError } from './server-start.js';
export { AdvisoryLock } from './advisory-locks.js';
export { columns, columnsOf, type Columns, type RowOf } from './columns.js';
export { openDataSource } from './connection.js';
export { MadeParts } from './made-parts.js';
export { poolOf } from './pool-of.js';
export { Database, discardClient, pgTypes, type Tx } from './database.js';
export { fragment, mayTakeLong, sql, type Fragment, type Statement } from './sql.js';
export type { DatabaseOptions } from './database-options.js';
export { DATABASE_OPTIONS, DatabaseModule } from './database.module.js';
export { extensionSchema } from './extension-migrations.js';
export { DELETED_AT_ONCE, deleteInBatches } from './delete-in-batches.js';
export { ForeignLocks } from './foreign-locks.js';
export { Batcher, NotBatchedError } from './batcher.js';
export { BatchLoader } from './batch-loader.js';
export {
  isConnectionRefused,
  isConnectionSpent,
  isLockTimeout,
  isReadOnly,
  isUnavailable,
  isUniqueViolation,
  PoolExhaustedError,
  sentAtOf,
  statementOutcomeOf,
} from './pg-errors.js';
export { compositeType } from './records.js';
export { LockAwareBatcher } from './lock-aware-batcher.js';
export {
  cursorIn,
  cursorText,
  firstPage,
  mergedPageStatements,
  pageQuery,
  pageStatements,
  type Cursor,
  type PageRequest,
  type PageStatements,
} from './page-request.js';
export { OutageLog, outageText } from './outage.js';
