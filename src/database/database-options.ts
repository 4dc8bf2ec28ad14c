import type { Type } from '@nestjs/common';
import type pg from 'pg';
import type { MigrationInterface } from 'typeorm';
import type { ExtensionMigrations } from './extension-migrations.js';
import type { StatementLimits } from './session-limits.js';

/** Where the database is and what lives in it. */
export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** For migrations, LISTEN and advisory locks, where `connection` leads through a pooler in transaction mode. */
  readonly directConnection?: pg.ClientConfig;
  readonly poolSize: number;
  /** See `Database`; without it a statement may take for ever. */
  readonly longestStatementMs?: number;
  /** What PostgreSQL itself allows a statement. */
  readonly limits?: StatementLimits;
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
  readonly extensions?: readonly ExtensionMigrations[];
  /** The database may have been migrated by a newer version than this one. */
  readonly allowNewerSchema?: boolean;
}
