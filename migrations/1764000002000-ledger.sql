-- The ledger's tables. Money is counted in whole units of the account's currency: msat for BTC, cents for USD.
-- Only ledger_open and ledger_apply write here. Balances can be read from ledger_account at any time; history is ledger_entry.
--
-- No foreign keys between these tables: each would lock and look up rows that ledger_apply has locked or written a moment before.
-- ledger_audit checks what they would guarantee.

CREATE TABLE ledger_account (
  id             bigint   CONSTRAINT ledger_account_pk PRIMARY KEY,
  currency       smallint NOT NULL CONSTRAINT ledger_account_currency CHECK (currency IN (1, 2)),  -- 1 = BTC in msat, 2 = USD in cents
  posted         bigint   NOT NULL DEFAULT 0,
  held           bigint   NOT NULL DEFAULT 0,      -- part of posted: what open holds have set aside
  allow_negative boolean  NOT NULL DEFAULT false,
  hot            boolean  NOT NULL DEFAULT false,  -- nearly every batch touches it: locked last, no holds, no balance_after
  label          text,
  CONSTRAINT ledger_account_label CHECK ((id < 0) = (label IS NOT NULL)),
  -- 21 million bitcoin in msat. Two such amounts still fit a bigint, so adding one to a balance cannot overflow.
  CONSTRAINT ledger_account_range CHECK (posted BETWEEN -2100000000000000000 AND 2100000000000000000 AND held BETWEEN 0 AND 2100000000000000000),
  CONSTRAINT ledger_account_not_overdrawn CHECK (allow_negative OR posted >= held),
  CONSTRAINT ledger_account_hot CHECK (NOT hot OR (allow_negative AND held = 0))
) WITH (fillfactor = 60);  -- room for updates in place, which also need that no index holds posted or held

-- The ids of customers' accounts. Ids below zero are the operator's accounts.
CREATE SEQUENCE ledger_account_id AS bigint START 1000;

-- The system accounts. `SystemAccount` in src/ledger/system-account.ts repeats them, and a test compares the two.
INSERT INTO ledger_account (id, currency, allow_negative, hot, label) VALUES
  (-1, 1, true, true,  'lightning'),   -- the outside world over Lightning: negative by what came in and has not gone out
  (-2, 1, true, true,  'fees'),        -- what we earn
  (-3, 1, true, true,  'dealerBtc'),   -- the two sides of every exchange between BTC and USD
  (-4, 2, true, true,  'dealerUsd'),
  (-5, 1, true, false, 'loss'),        -- costs that the operator bears and cannot charge, such as a routing fee above its limit
  (-6, 1, true, false, 'unclaimed');   -- payments that a node received for an unknown invoice: the operator has to review them

CREATE SEQUENCE ledger_journal_id AS bigint;
CREATE TABLE ledger_journal (  -- one row for every accepted operation: the idempotency record
  id         bigint      CONSTRAINT ledger_journal_pk PRIMARY KEY,  -- taken under the account locks, hence ascending in each account: the sequence must not cache
  idem       uuid        NOT NULL CONSTRAINT ledger_journal_idem UNIQUE,
  op         text        NOT NULL CONSTRAINT ledger_journal_op CHECK (op IN ('post', 'hold', 'capture', 'void')),
  kind       smallint    NOT NULL,   -- the caller's own vocabulary
  hold_id    uuid,                   -- the hold that was made, captured or voided
  content    bytea       NOT NULL,   -- SHA-256 of the operation: distinguishes a duplicate from a conflict
  created_at timestamptz NOT NULL
);

CREATE TABLE ledger_entry (
  journal_id    bigint   NOT NULL,
  account_id    bigint   NOT NULL,
  currency      smallint NOT NULL,
  amount        bigint   NOT NULL CONSTRAINT ledger_entry_amount CHECK (amount <> 0),
  balance_after bigint,  -- posted after this journal; null in hot accounts, where journals have no order
  CONSTRAINT ledger_entry_pk PRIMARY KEY (journal_id, account_id)
);
CREATE INDEX ledger_entry_account ON ledger_entry (account_id, journal_id);

CREATE TABLE ledger_hold (
  id         uuid        CONSTRAINT ledger_hold_pk PRIMARY KEY,  -- the idempotency key of the operation that made it
  account_id bigint      NOT NULL,
  amount     bigint      NOT NULL CONSTRAINT ledger_hold_amount CHECK (amount > 0),
  state      text        NOT NULL CONSTRAINT ledger_hold_state CHECK (state IN ('open', 'captured', 'voided')),
  created_at timestamptz NOT NULL,
  closed_at  timestamptz,
  CONSTRAINT ledger_hold_closed CHECK ((closed_at IS NULL) = (state = 'open'))
) WITH (fillfactor = 80);
CREATE INDEX ledger_hold_open ON ledger_hold (account_id) WHERE state = 'open';

-- The application connects as the owner of the tables, whom no privilege restricts. These triggers do, even if the code has a bug.
CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger refuses % on %', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_journal EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_account_kept BEFORE DELETE OR TRUNCATE ON ledger_account EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_account_fixed BEFORE UPDATE OF id, currency, allow_negative, hot, label ON ledger_account EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_hold_kept BEFORE DELETE OR TRUNCATE ON ledger_hold EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_hold_fixed BEFORE UPDATE OF id, account_id, amount, created_at ON ledger_hold EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_hold_final BEFORE UPDATE ON ledger_hold FOR EACH ROW WHEN (old.state <> 'open') EXECUTE FUNCTION ledger_refuse();
-- ALWAYS: also in a session whose session_replication_role is replica.
ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_append_only;
ALTER TABLE ledger_journal ENABLE ALWAYS TRIGGER ledger_journal_append_only;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_kept, ENABLE ALWAYS TRIGGER ledger_account_fixed;
ALTER TABLE ledger_hold ENABLE ALWAYS TRIGGER ledger_hold_kept, ENABLE ALWAYS TRIGGER ledger_hold_fixed, ENABLE ALWAYS TRIGGER ledger_hold_final;

-- One side of a movement, signed, in the account's unit.
CREATE TYPE ledger_leg AS (account bigint, amount numeric);

-- An operation as a caller requests it: the head of ledger_apply.sql describes it.
CREATE TYPE ledger_operation AS (op text, idem uuid, kind smallint, hold uuid, legs ledger_leg[]);

-- An operation as far as it can be read without a lock: legs netted and sorted by account, and a refusal that depends on no balance.
CREATE TYPE ledger_compiled AS (
  op text, idem uuid, kind smallint, hold uuid, accounts bigint[], amounts bigint[], refusal text, content bytea
);
