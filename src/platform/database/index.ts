export { ServerStartError, startWithServer } from './server-start.js';
export { AdvisoryLock } from './advisory-locks.js';
export { columns, columnsOf, type Columns, type RowOf } from './columns.js';
export { openDataSource, poolOf } from './connection.js';
export { MadeParts } from './made-parts.js';
export { changeOne, Database, discardClient, pgTypes, queryOne, type Tx, DELETED_AT_ONCE, deleteInBatches } from './database.js';
export { fragment, mayTakeLong, sql, type Fragment, type Statement } from './sql.js';
export type { DatabaseOptions } from './database-options.js';
export { DATABASE_OPTIONS, DatabaseModule } from './database.module.js';
export { extensionSchema } from './extension-migrations.js';
export { ForeignLocks, LockAwareBatcher } from './lock-aware-batcher.js';
export { Batcher, NotBatchedError, BatchLoader } from './batcher.js';
export {
  isConnectionRefused,
  isConnectionSpent,
  isLockTimeout,
  isReadOnly,
  isRolledBack,
  isUnavailable,
  isUniqueViolation,
  PoolExhaustedError,
  sentAtOf,
  statementOutcomeOf,
  OutageLog,
  outageText,
} from './pg-errors.js';
export { compositeType } from './records.js';
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
