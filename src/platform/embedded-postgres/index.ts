export { installCluster } from './cluster-installation.js';
export { EmbeddedPostgresError } from './embedded-postgres.error.js';
export { EmbeddedPostgres, freePort, type EmbeddedPostgresOptions } from './embedded-postgres.js';
export type { PostgresConnection } from './owner-socket.js';
