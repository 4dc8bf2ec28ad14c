import type { EmbeddedPostgres } from '../../src/database/embedded/index.js';

/** The run's database server and its folder. */
export interface GlobalDatabase {
  readonly server: EmbeddedPostgres;
  readonly dataDir: string;
}

// Jest loads set-up and tear-down apart from each other, module state included: only the global object is the same for both.
const holder = globalThis as { sluiceTestDatabase?: GlobalDatabase };

export function keepDatabase(database: GlobalDatabase): void {
  holder.sluiceTestDatabase = database;
}

export function keptDatabase(): GlobalDatabase | undefined {
  return holder.sluiceTestDatabase;
}
