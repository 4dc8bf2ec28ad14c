CREATE SCHEMA simulator;

-- The two ends of every simulated payment: our node, and one node that stands for the rest of the network.
CREATE TABLE simulator.node (
  name        text    NOT NULL,
  -- Generated here once. It signs invoices for simulated money, and protects nothing.
  private_key bytea   NOT NULL,
  -- Counts the payments this node sent that became final: the outside's count is the settle index of our invoices. Raised in the
  -- transaction that ends a payment, whose lock on this row makes the order of numbers the order of commits.
  last_index  bigint  NOT NULL DEFAULT 0,
  -- A node that is away answers no call.
  away        boolean NOT NULL DEFAULT false,
  -- How it answers when it is asked for its payment index.
  says_index  text    NOT NULL DEFAULT 'exact',
  CONSTRAINT node_pk PRIMARY KEY (name),
  CONSTRAINT node_known CHECK (name IN ('ours', 'outside')),
  CONSTRAINT node_says_index CHECK (says_index IN ('exact', 'unknown', 'unsupported'))
);
INSERT INTO simulator.node (name, private_key)
  SELECT name, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) FROM unnest(ARRAY['ours', 'outside']) AS name;

CREATE TABLE simulator.invoice (
  payment_hash    text        NOT NULL,
  payee           text        NOT NULL,
  payment_request text        NOT NULL,
  preimage        text        NOT NULL,
  -- Millisatoshi; null leaves the amount to the payer.
  amount_msat     bigint,
  state           text        NOT NULL DEFAULT 'open',
  -- How payments of it go wrong: see the type Faults.
  faults          jsonb       NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  CONSTRAINT invoice_pk PRIMARY KEY (payment_hash),
  CONSTRAINT invoice_payee FOREIGN KEY (payee) REFERENCES simulator.node,
  CONSTRAINT invoice_state_known CHECK (state IN ('open', 'settled', 'cancelled')),
  CONSTRAINT invoice_amount_positive CHECK (amount_msat > 0),
  CONSTRAINT invoice_preimage_fits CHECK (encode(sha256(decode(preimage, 'hex')), 'hex') = payment_hash)
) WITH (fillfactor = 80);

CREATE TABLE simulator.payment (
  id           bigint      GENERATED ALWAYS AS IDENTITY,
  payer        text        NOT NULL,
  payment_hash text        NOT NULL,
  -- Millisatoshi: what the payee gets, and what the payer pays beside it.
  amount_msat  bigint      NOT NULL,
  fee_msat     bigint      NOT NULL,
  state        text        NOT NULL DEFAULT 'in_flight',
  -- Why it failed or, while in flight, why it is going to.
  reason       text,
  faults       jsonb       NOT NULL,
  -- When it ends. Null: on release, or when its invoice is cancelled.
  due_at       timestamptz,
  created_at   timestamptz NOT NULL DEFAULT now(),
  final_at     timestamptz,
  final_index  bigint,
  CONSTRAINT payment_pk PRIMARY KEY (id),
  CONSTRAINT payment_payer FOREIGN KEY (payer) REFERENCES simulator.node,
  CONSTRAINT payment_state_known CHECK (state IN ('in_flight', 'settled', 'failed')),
  CONSTRAINT payment_amounts CHECK (amount_msat > 0 AND fee_msat >= 0),
  CONSTRAINT payment_final CHECK ((state = 'in_flight') = (final_at IS NULL) AND (state = 'settled') <= (reason IS NULL)),
  CONSTRAINT payment_index UNIQUE (payer, final_index)
) WITH (fillfactor = 80);
-- A hash is payable once: only a failed attempt allows another.
CREATE UNIQUE INDEX payment_live ON simulator.payment (payer, payment_hash) WHERE state <> 'failed';
CREATE INDEX payment_attempts ON simulator.payment (payer, payment_hash, id);
CREATE INDEX payment_due ON simulator.payment (due_at) WHERE state = 'in_flight';
