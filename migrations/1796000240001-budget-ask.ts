import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Above these amounts a payment of a key, or of an app, waits for its owner. */
export class BudgetAsk1796000240001 implements MigrationInterface {
  readonly name = 'BudgetAsk1796000240001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- id: as that of a budget. payment_msat: of one payment; day_msat: of all in 24 hours. Null: it does not ask by that.
      CREATE TABLE budget_ask (
        id           text   NOT NULL,
        payment_msat bigint,
        day_msat     bigint,
        CONSTRAINT budget_ask_pk PRIMARY KEY (id),
        CONSTRAINT budget_ask_some CHECK (num_nonnulls(payment_msat, day_msat) > 0),
        CONSTRAINT budget_ask_sign CHECK (payment_msat >= 0 AND day_msat >= 0)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE budget_ask');
  }
}
