export { AdvisoryLock } from './advisory-locks.js';
export { columns, columnsOf, type Columns, type RowOf } from './columns.js';
export { openDataSource, poolOf } from './connection.js';
export { Database, pgTypes, type Tx } from './database.js';
export { fragment, mayTakeLong, sql, type Fragment, type Statement } from './sql.js';
export type { DatabaseOptions } from './database-options.js';
export { DATABASE_OPTIONS, DatabaseModule } from './database.module.js';
export { extensionSchema } from './extension-migrations.js';
export { ForeignLocks } from './foreign-locks.js';
export { Batcher, NotTaken } from './batcher.js';
export { Lookups } from './lookups.js';
export {
  fateOf,
  isLockTimeout,
  isReadOnly,
  isRetriable,
  isUnavailable,
  isUniqueViolation,
  PoolFull,
  sentAtOf,
  type Fate,
} from './pg-errors.js';
export { recordsOf } from './records.js';
export { WaryBatcher } from './wary-batcher.js';
export { cursorIn, cursorText, firstPage, sliceQuery, sliceStatements, type Cursor, type Slice } from './slice.js';
export { OutageLog, outageText } from './outage.js';
