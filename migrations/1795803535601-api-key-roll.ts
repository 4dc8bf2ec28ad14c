import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secret that a key had before its owner rolled it, and until when it works. */
export class ApiKeyRoll1795803535601 implements MigrationInterface {
  readonly name = 'ApiKeyRoll1795803535601';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key ADD COLUMN previous_hash bytea, ADD COLUMN previous_until timestamptz,
        ADD CONSTRAINT api_key_previous_whole CHECK ((previous_hash IS NULL) = (previous_until IS NULL)),
        ADD CONSTRAINT api_key_previous_hash_unique UNIQUE (previous_hash)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN previous_until, DROP COLUMN previous_hash');
  }
}
