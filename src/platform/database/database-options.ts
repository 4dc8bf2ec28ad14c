import type { Type } from '@nestjs/common';
import type pg from 'pg';
import type { MigrationInterface } from 'typeorm';
import type { ExtensionMigrations } from './extension-migrations.js';
import type { SqlFunctions } from './function-migrations.js';
import type { SecretKeys } from './secret-key.js';
import type { StatementLimits } from './session-limits.js';

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** For migrations, LISTEN and advisory locks, where `connection` leads through a pooler in transaction mode. */
  readonly directConnection?: pg.ClientConfig;
  readonly poolSize: number;
  readonly maxStatementMs?: number;
  readonly limits?: StatementLimits;
  readonly entities: readonly Type[];
  readonly migrations: readonly Type<MigrationInterface>[];
  /** Created after the migrations, in this order, when their text has changed. */
  readonly functions: readonly SqlFunctions[];
  readonly release: string;
  /** Absent: not checked. */
  readonly secrets?: SecretKeys;
  readonly extensions?: readonly ExtensionMigrations[];
  /** Accept a database that a newer release has migrated, although this one may be too old for it. */
  readonly allowNewerSchema?: boolean;
}
