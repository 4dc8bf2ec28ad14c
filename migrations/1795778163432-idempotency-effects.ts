import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The fields of a keyed request that have had their effect. */
export class IdempotencyEffects1795778163432 implements MigrationInterface {
  readonly name = 'IdempotencyEffects1795778163432';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idempotency ADD COLUMN effects text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency DROP COLUMN effects');
  }
}
