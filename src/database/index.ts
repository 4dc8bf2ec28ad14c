export { columnsOf } from './columns.js';
export { openDataSource, type DatabaseOptions } from './connection.js';
export { Database, pgTypes, type Statement, type Tx } from './database.js';
export { DATABASE_OPTIONS, DatabaseModule } from './database.module.js';
export { extensionPrefix } from './extension-migrations.js';
export { Lane } from './lane.js';
export { isLockTimeout, isReadOnly, isRetriable, isUnavailable, isUniqueViolation } from './pg-errors.js';
export { cursorIn, cursorText, firstPage, sliceQuery, sliceStatements, type Cursor, type Slice } from './slice.js';
export { EmbeddedPostgres, EmbeddedPostgresError, type EmbeddedPostgresOptions, type PostgresConnection } from './embedded/index.js';
