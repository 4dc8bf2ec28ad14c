import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null: there was no price to be trusted. */
export class HistoryWithoutPrice1795467596533 implements MigrationInterface {
  readonly name = 'HistoryWithoutPrice1795467596533';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE transaction ALTER COLUMN cents_per_btc DROP NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE transaction ALTER COLUMN cents_per_btc SET NOT NULL`);
  }
}
