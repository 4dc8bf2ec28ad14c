import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outgoing payments and their way from held to settled or failed. */
export class Payment1764000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment (
        id              uuid           NOT NULL,
        account_id      uuid           NOT NULL,
        wallet_id       uuid           NOT NULL,
        kind            text           NOT NULL,
        payment_hash    text,
        payment_request text,
        -- What the payee gets, and the most that the route may cost. Whole satoshis are charged: their sum, rounded up, is held.
        amount_msat     bigint         NOT NULL,
        fee_limit_msat  bigint         NOT NULL,
        fee_msat        bigint,
        -- The node that was asked: the status that another node reports does not count.
        node_id         text,
        state           text           NOT NULL,
        preimage        text,
        failure         text,
        principal_id    text           NOT NULL,
        client_id       text,
        -- Not now(), which is before the call waited for its locks: the dispatcher's lease starts here.
        created_at      timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        finished_at     timestamptz(3),
        next_check_at   timestamptz    NOT NULL DEFAULT now(),
        checks          integer        NOT NULL DEFAULT 0,
        -- When the node was about to be asked. Empty: it was not asked, and will not be once the payment has ended.
        dispatched_at   timestamptz,
        -- Names the one attempt to send it: a dispatcher whose response was lost calls again with it.
        dispatch_token  uuid,
        -- The node has reported it in flight. Only one attempt of a hash is live, so from then on the node's status is about this one.
        seen_in_flight  boolean        NOT NULL DEFAULT false,
        -- When the node first reported that it does not know this payment, or only an attempt that failed and may be an earlier one.
        not_found_at    timestamptz,
        CONSTRAINT payment_pk PRIMARY KEY (id),
        CONSTRAINT payment_only_ln_dispatched CHECK (dispatched_at IS NULL OR kind = 'ln'),
        CONSTRAINT payment_dispatched_by_one CHECK ((dispatched_at IS NULL) = (dispatch_token IS NULL)),
        CONSTRAINT payment_kind_known CHECK (kind IN ('ln', 'internal', 'intraledger')),
        CONSTRAINT payment_state_known CHECK (state IN ('in_flight', 'settled', 'failed')),
        CONSTRAINT payment_amount_positive CHECK (amount_msat > 0 AND fee_limit_msat >= 0 AND fee_msat >= 0),
        CONSTRAINT payment_finished CHECK ((state = 'in_flight') = (finished_at IS NULL)),
        CONSTRAINT payment_only_ln_flies CHECK (kind = 'ln' OR state = 'settled'),
        CONSTRAINT payment_ln_has_node CHECK ((kind = 'ln') = (node_id IS NOT NULL)),
        CONSTRAINT payment_hash_there CHECK ((kind = 'intraledger') = (payment_hash IS NULL)),
        CONSTRAINT payment_settled_has_proof CHECK (kind = 'intraledger' OR (state = 'settled') = (preimage IS NOT NULL)),
        CONSTRAINT payment_preimage_fits CHECK (encode(sha256(decode(preimage, 'hex')), 'hex') = payment_hash)
      );
      -- A payment hash is payable once, across all accounts: only a failed attempt allows another.
      CREATE UNIQUE INDEX payment_live_hash ON payment (payment_hash) WHERE state IN ('in_flight', 'settled');
      CREATE INDEX payment_failed_hash ON payment (payment_hash) WHERE state = 'failed';
      CREATE INDEX payment_failed_lately ON payment (finished_at, id) WHERE state = 'failed';
      CREATE INDEX payment_of_principal ON payment (principal_id, created_at);
      CREATE INDEX payment_in_flight ON payment (next_check_at) WHERE state = 'in_flight';

      -- The payment index of each node. A node that was restored from an older copy counts again from there.
      CREATE TABLE payment_node (
        node_id        text        NOT NULL,
        payment_index  bigint      NOT NULL,
        -- Since when the index has not gone back, as far as Sluice has asked.
        unbroken_since timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payment_node_pk PRIMARY KEY (node_id)
      );

      -- What operators have done to money by hand. Append-only.
      CREATE TABLE operator_action (
        id      bigint         GENERATED ALWAYS AS IDENTITY,
        at      timestamptz(3) NOT NULL DEFAULT now(),
        who     text           NOT NULL,
        action  text           NOT NULL,
        subject text           NOT NULL,
        because text           NOT NULL,
        details jsonb          NOT NULL,
        CONSTRAINT operator_action_pk PRIMARY KEY (id)
      );
      CREATE INDEX operator_action_subject ON operator_action (subject, id);
      CREATE FUNCTION operator_action_stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'operator_action is append-only'; END $$;
      CREATE TRIGGER operator_action_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_action EXECUTE FUNCTION operator_action_stays();

      -- A payment to begin. Exactly one of payment_hash and recipient_wallet_id is set.
      CREATE TYPE payment_attempt AS (
        id uuid, user_id uuid, wallet_id uuid, recipient_wallet_id uuid, payment_hash text, payment_request text, expires_at timestamptz,
        amount_msat bigint, fee_limit_msat bigint, memo text, principal_id text, client_id text, to_node boolean
      );
      -- An attempt with all that payment_verdict judges it by. cost_msat: what the payer's wallet must have. is_locked, available_msat: see
      -- payment_begin.
      CREATE TYPE payment_candidate AS (
        n integer, attempt payment_attempt, kind text, cost_msat bigint, known_state text,
        payer_wallet uuid, payer_account uuid, payer_currency text, payer_ledger bigint, payer_username text,
        payee_wallet uuid, payee_currency text, payee_ledger bigint, payee_username text,
        live_id uuid, live_account uuid, live_state text, is_mismatch boolean, invoice_state text, invoice_expires_at timestamptz,
        invoice_amount_msat bigint, invoice_preimage text, invoice_memo text, invoice_external_id text, invoice_by_owner boolean,
        is_locked boolean, available_msat bigint
      );
      -- The end of a payment in flight, as its node or the operator states it.
      CREATE TYPE payment_resolution AS (id uuid, state text, fee_msat numeric, preimage text, failure text);
      -- A resolution with all that payment_ending_verdict judges it by.
      CREATE TYPE payment_ending AS (
        n integer, resolution payment_resolution, state text, payment_hash text, amount_msat bigint, fee_limit_msat bigint, is_dispatched boolean,
        is_seen boolean, payer_ledger bigint, is_locked boolean, is_index_unbroken boolean, is_hash_live boolean
      );
      -- A payment to send, and the token of the one attempt to send it.
      CREATE TYPE payment_claim AS (id uuid, token uuid);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE payment_claim, payment_ending, payment_resolution, payment_candidate, payment_attempt;
      DROP TABLE operator_action;
      DROP FUNCTION operator_action_stays();
      DROP TABLE payment_node;
      DROP TABLE payment;`);
  }
}
