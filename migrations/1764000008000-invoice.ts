import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices of our wallets, and the cursor of each node's settlements. */
export class Invoice1764000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice (
        payment_hash     text           NOT NULL,
        account_id       uuid           NOT NULL,
        wallet_id        uuid           NOT NULL,
        node_id          text           NOT NULL,
        payment_request  text           NOT NULL,
        payment_secret   text           NOT NULL,
        preimage         text           NOT NULL,
        amount_msat      bigint         NOT NULL,
        memo             text,
        description_hash text,
        external_id      text           NOT NULL,
        -- False: another caller created it on the owner's behalf and chose external_id
        by_owner         boolean        NOT NULL,
        cents_per_btc    bigint         NOT NULL,
        state            text           NOT NULL DEFAULT 'open',
        settled_via      text,
        expires_at       timestamptz(3) NOT NULL,
        created_at       timestamptz(3) NOT NULL DEFAULT now(),
        paid_at          timestamptz(3),
        -- When its node reported, after its expiry, that nothing can pay it any more
        closed_at        timestamptz(3),
        -- The next look-up at its node is not before this
        next_look_at     timestamptz(3) NOT NULL DEFAULT '-infinity',
        CONSTRAINT invoice_pk PRIMARY KEY (payment_hash),
        CONSTRAINT invoice_amount_positive CHECK (amount_msat > 0),
        CONSTRAINT invoice_state_known CHECK (state IN ('open', 'paid', 'cancelled')),
        CONSTRAINT invoice_settled_via_known CHECK (settled_via IN ('ln', 'internal')),
        CONSTRAINT invoice_paid CHECK ((state = 'paid') = (paid_at IS NOT NULL AND settled_via IS NOT NULL)),
        CONSTRAINT invoice_preimage_fits CHECK (encode(sha256(decode(preimage, 'hex')), 'hex') = payment_hash)
      );
      CREATE UNIQUE INDEX invoice_external_id_unique ON invoice (account_id, external_id) WHERE by_owner;
      CREATE INDEX invoice_of_account ON invoice (account_id, created_at DESC, payment_hash DESC);
      CREATE INDEX invoice_of_wallet ON invoice (wallet_id, created_at DESC, payment_hash DESC);
      CREATE INDEX invoice_to_look_up ON invoice (node_id, expires_at, payment_hash) WHERE state <> 'paid' AND closed_at IS NULL;
      CREATE INDEX invoice_to_forget ON invoice (node_id, closed_at) WHERE NOT by_owner AND state <> 'paid' AND closed_at IS NOT NULL;
      -- The wallet of an unpaid invoice that another caller than its owner created and whose row was deleted: a late payment belongs there.
      -- Narrow, because such callers decide how many there are
      CREATE TABLE invoice_forgotten (
        payment_hash  bytea          NOT NULL,
        wallet_id     uuid           NOT NULL,
        cents_per_btc bigint         NOT NULL,
        paid_at       timestamptz(3),
        CONSTRAINT invoice_forgotten_pk PRIMARY KEY (payment_hash)
      );
      CREATE TABLE settlement_cursor (
        node_id      text    NOT NULL,
        -- The position from which to read. Whether a settlement was credited, its journal's key decides (node and hash)
        settle_index bigint  NOT NULL DEFAULT 0,
        -- The payment hash of the settlement of that index: a node that no longer has it there counts from the start again
        settle_hash  text,
        -- How often the index has restarted. A reader of an earlier epoch no longer moves the cursor
        epoch        integer NOT NULL DEFAULT 0,
        CONSTRAINT settlement_cursor_pk PRIMARY KEY (node_id)
      );
      CREATE TABLE settlement_review (
        node_id      text           NOT NULL,
        payment_hash text           NOT NULL,
        settle_index bigint         NOT NULL,
        amount_msat  numeric,
        outcome      text           NOT NULL,
        created_at   timestamptz(3) NOT NULL DEFAULT now(),
        -- The node has reported another amount since, which was credited
        booked_at    timestamptz(3),
        CONSTRAINT settlement_review_pk PRIMARY KEY (node_id, payment_hash),
        CONSTRAINT settlement_review_outcome_known CHECK (outcome IN ('refused', 'unclaimed'))
      );
      -- A payment that a node reports as received. Numeric: an amount that fits no bigint must fail its settlement, not the batch.
      CREATE TYPE invoice_settlement AS (settle_index bigint, payment_hash text, amount_msat numeric);
      -- A settlement with all that settlement_verdict judges it by.
      CREATE TYPE settlement_candidate AS (
        n integer, settlement invoice_settlement, invoice_state text, memo text, external_id text, by_owner boolean, payment_request text, preimage text,
        wallet_id uuid, payee_ledger bigint, cents_per_btc bigint, is_forgotten boolean, is_seen boolean, is_locked boolean
      );
      -- What a node says of one of its invoices: closed, open or refused.
      CREATE TYPE invoice_answer AS (payment_hash text, answer text);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE invoice_answer, settlement_candidate, invoice_settlement;
      DROP TABLE settlement_review;
      DROP TABLE settlement_cursor;
      DROP TABLE invoice_forgotten;
      DROP TABLE invoice;`);
  }
}
