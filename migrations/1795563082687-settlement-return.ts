import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A settlement that is returned to its sender is booked to the wallet of an operator, which pays an invoice of the sender. */
export class SettlementReturn1795563082687 implements MigrationInterface {
  readonly name = 'SettlementReturn1795563082687';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE settlement_review
        -- The wallet from which it is returned. Empty: it is not returned.
        ADD return_wallet_id  uuid,
        -- Names the latest attempt to pay it back, whose payment has this id. The payment may not have begun.
        ADD return_attempt    text,
        ADD return_payment_id uuid,
        ADD CONSTRAINT settlement_review_return CHECK (num_nulls(return_wallet_id, return_attempt, return_payment_id) IN (0, 3));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE settlement_review DROP CONSTRAINT settlement_review_return, DROP return_wallet_id, DROP return_attempt, DROP return_payment_id;`);
  }
}
