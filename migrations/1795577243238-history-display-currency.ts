import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null: the display amounts are in US dollars, or in bitcoin without a price. */
export class HistoryDisplayCurrency1795577243238 implements MigrationInterface {
  readonly name = 'HistoryDisplayCurrency1795577243238';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE transaction ADD COLUMN display_currency text, ADD COLUMN display_rate bigint;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE transaction DROP COLUMN display_currency, DROP COLUMN display_rate;`);
  }
}
