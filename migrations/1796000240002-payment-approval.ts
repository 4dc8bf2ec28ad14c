import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments of keys and apps that ask their owner first. Nothing of their money moves, and nothing is held, before the answer. */
export class PaymentApproval1796000240002 implements MigrationInterface {
  readonly name = 'PaymentApproval1796000240002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_approval (
        -- Also of the row of the history, and of the payment once it is approved: so it is made once.
        id             uuid        NOT NULL,
        user_id        uuid        NOT NULL,
        account_id     uuid        NOT NULL,
        wallet_id      uuid        NOT NULL,
        -- Who asks: the key, or the app.
        asker          text        NOT NULL,
        principal_kind text        NOT NULL,
        principal_id   text        NOT NULL,
        client_id      text,
        scopes         text[]      NOT NULL,
        -- What was ordered, with the memo, to be judged again at the approval.
        payment_order  jsonb       NOT NULL,
        payment_hash   text,
        amount_msat    bigint      NOT NULL,
        -- With the fee; the approval is of no more.
        most_msat      bigint      NOT NULL,
        payee          text,
        state          text        NOT NULL DEFAULT 'waiting',
        created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at     timestamptz NOT NULL,
        approved_at    timestamptz,
        ended_at       timestamptz,
        CONSTRAINT payment_approval_pk PRIMARY KEY (id),
        CONSTRAINT payment_approval_wallet FOREIGN KEY (wallet_id) REFERENCES wallet (id) ON DELETE CASCADE,
        CONSTRAINT payment_approval_state CHECK (state IN ('waiting', 'approved', 'ended')),
        CONSTRAINT payment_approval_times CHECK ((state = 'ended') = (ended_at IS NOT NULL) AND (state <> 'waiting' OR approved_at IS NULL))
      );
      CREATE INDEX payment_approval_open ON payment_approval (account_id) WHERE state <> 'ended';
      CREATE INDEX payment_approval_of_user ON payment_approval (user_id, created_at, id);
      CREATE INDEX payment_approval_ended ON payment_approval (ended_at) WHERE state = 'ended';
      CREATE INDEX payment_approval_of_wallet ON payment_approval (wallet_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_approval');
  }
}
