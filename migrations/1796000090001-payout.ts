import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments to bitcoin addresses, and the transactions that make them. */
export class Payout1796000090001 implements MigrationInterface {
  readonly name = 'Payout1796000090001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One transaction that pays many: its versions differ by their fee alone, so that at most one of them can ever be in a block.
      CREATE TABLE payout_batch (
        id          uuid        NOT NULL,
        speed       text        NOT NULL,
        state       text        NOT NULL DEFAULT 'open',
        -- As funded, unsigned: a later version is made of it.
        psbt        text,
        -- The version that is sent.
        txid        text,
        -- Until when the wallet keeps the inputs for it.
        lease_until timestamptz,
        -- Of the block that has it.
        height      integer,
        block_hash  text,
        made_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT payout_batch_pk PRIMARY KEY (id),
        CONSTRAINT payout_batch_state CHECK (state IN ('open', 'signed', 'broadcast', 'confirmed', 'final', 'replaced')),
        CONSTRAINT payout_batch_made CHECK ((state = 'open') = (txid IS NULL) AND (txid IS NULL) = (psbt IS NULL)),
        CONSTRAINT payout_batch_block CHECK ((state IN ('confirmed', 'final')) = (height IS NOT NULL) AND (height IS NULL) = (block_hash IS NULL))
      );
      CREATE INDEX payout_batch_live ON payout_batch (made_at) WHERE state NOT IN ('final', 'replaced');
      CREATE INDEX payout_batch_of_speed ON payout_batch (speed, made_at);

      CREATE TABLE payout_transaction (
        txid     text        NOT NULL,
        batch_id uuid        NOT NULL,
        raw      text        NOT NULL,
        fee_sats bigint      NOT NULL,
        made_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT payout_transaction_pk PRIMARY KEY (txid)
      );
      CREATE INDEX payout_transaction_of_batch ON payout_transaction (batch_id);

      -- A payment of the kind onchain, which has the address and the amount.
      CREATE TABLE payout (
        id               uuid        NOT NULL,
        speed            text        NOT NULL,
        -- The most that its part of the miner's fee may be, and what it is charged beside that part.
        miner_limit_sats bigint      NOT NULL,
        service_sats     bigint      NOT NULL,
        -- The size of its part, as quoted.
        vbytes           integer     NOT NULL,
        -- It is charged all of its hold, because it leaves nothing in the wallet.
        is_all           boolean     NOT NULL,
        state            text        NOT NULL DEFAULT 'queued',
        tries            integer     NOT NULL DEFAULT 0,
        batch_id         uuid,
        vout             integer,
        -- Its part of the batch's fee, against the others'.
        weight           bigint,
        -- That part in the block which confirmed it first.
        miner_sats       bigint,
        queued_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
        late_at          timestamptz,
        CONSTRAINT payout_pk PRIMARY KEY (id),
        CONSTRAINT payout_speed CHECK (speed IN ('FAST', 'MEDIUM', 'SLOW')),
        CONSTRAINT payout_state CHECK (state IN ('queued', 'batched', 'broadcast', 'confirmed', 'cancelled')),
        CONSTRAINT payout_fees CHECK (miner_limit_sats > 0 AND service_sats >= 0 AND vbytes > 0 AND miner_sats >= 0),
        CONSTRAINT payout_batched CHECK ((state IN ('queued', 'cancelled')) = (batch_id IS NULL)),
        CONSTRAINT payout_placed CHECK ((vout IS NULL) = (weight IS NULL) AND (vout IS NULL OR batch_id IS NOT NULL))
      );
      CREATE INDEX payout_live ON payout (state, speed, tries, queued_at) WHERE state IN ('queued', 'batched', 'broadcast');
      CREATE INDEX payout_of_batch ON payout (batch_id);
      CREATE INDEX payout_by_time ON payout (queued_at, id);

      -- How a payment of the kind onchain is queued, beside its attempt; a null for any other.
      CREATE TYPE payout_order AS (speed text, miner_limit_sats bigint, service_sats bigint, vbytes integer, is_all boolean);
      -- An output of a signed transaction, and whom it pays.
      CREATE TYPE payout_output AS (id uuid, vout integer, weight bigint);

      ALTER TABLE payment ADD CONSTRAINT payment_kind_fits CHECK (CASE kind
          WHEN 'ln' THEN node_id IS NOT NULL AND payment_hash IS NOT NULL AND (state = 'settled') = (preimage IS NOT NULL)
          WHEN 'internal' THEN state = 'settled' AND dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NOT NULL AND preimage IS NOT NULL
          WHEN 'intraledger' THEN state = 'settled' AND dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NULL
          WHEN 'onchain' THEN dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NULL AND preimage IS NULL
          ELSE false END) NOT VALID,
        DROP CONSTRAINT payment_kind_fits;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment DROP CONSTRAINT payment_kind_fits,
        ADD CONSTRAINT payment_kind_fits CHECK (CASE kind
          WHEN 'ln' THEN node_id IS NOT NULL AND payment_hash IS NOT NULL AND (state = 'settled') = (preimage IS NOT NULL)
          WHEN 'internal' THEN state = 'settled' AND dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NOT NULL AND preimage IS NOT NULL
          WHEN 'intraledger' THEN state = 'settled' AND dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NULL
          ELSE false END);
      DROP TYPE payout_output, payout_order;
      DROP TABLE payout, payout_transaction, payout_batch;`);
  }
}
