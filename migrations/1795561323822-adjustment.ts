import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adjustments of balances, which one operator proposes and another one approves. */
export class Adjustment1795561323822 implements MigrationInterface {
  readonly name = 'Adjustment1795561323822';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE adjustment (
        id          uuid           NOT NULL,
        wallet_id   uuid           NOT NULL,
        -- Signed: what the wallet gets, or what it loses.
        amount_msat bigint         NOT NULL,
        -- For the customer, in the history.
        memo        text           NOT NULL,
        -- For the operators.
        because     text           NOT NULL,
        state       text           NOT NULL DEFAULT 'open',
        proposed_by uuid           NOT NULL,
        proposed_at timestamptz(3) NOT NULL DEFAULT now(),
        -- An open one that is older than this cannot be approved.
        expires_at  timestamptz(3) NOT NULL,
        decided_by  uuid,
        decided_at  timestamptz(3),
        CONSTRAINT adjustment_pk PRIMARY KEY (id),
        CONSTRAINT adjustment_wallet_fk FOREIGN KEY (wallet_id) REFERENCES wallet (id),
        CONSTRAINT adjustment_proposed_by_fk FOREIGN KEY (proposed_by) REFERENCES app_user (id),
        CONSTRAINT adjustment_decided_by_fk FOREIGN KEY (decided_by) REFERENCES app_user (id),
        CONSTRAINT adjustment_amount CHECK (amount_msat <> 0),
        CONSTRAINT adjustment_state_known CHECK (state IN ('open', 'approved', 'refused')),
        CONSTRAINT adjustment_decided CHECK ((state = 'open') = (decided_at IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
        CONSTRAINT adjustment_two_operators CHECK (state <> 'approved' OR decided_by <> proposed_by)
      );
      CREATE INDEX adjustment_open ON adjustment (expires_at) WHERE state = 'open';
      CREATE INDEX adjustment_of_wallet ON adjustment (wallet_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE adjustment');
  }
}
