-- How a payment begins: pure functions, which payment_begin calls with what it has read under its locks.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Of these kinds the amount and the fee limit are held, and the caller sends the payment next; the money of the others
-- moves at once.
CREATE OR REPLACE FUNCTION payment_is_sent(p_kind text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_kind = 'ln'
$$;

-- Why a payment does not begin; null: it goes to the ledger.
CREATE OR REPLACE FUNCTION payment_verdict(c payment_candidate, p_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN c.known_state IS NOT NULL THEN CASE c.known_state WHEN 'settled' THEN 'settled' WHEN 'failed' THEN 'refused'
      WHEN 'other' THEN 'attempt_reused' ELSE 'pending' END
    WHEN c.payer_wallet IS NULL THEN 'unknown_wallet'
    WHEN c.is_mismatch THEN 'text_mismatch'
    WHEN c.live_account = c.payer_account THEN CASE c.live_state WHEN 'settled' THEN 'already_paid' ELSE 'pending' END
    WHEN c.live_state = 'in_flight' THEN 'being_paid'
    WHEN c.live_id IS NOT NULL OR c.invoice_state = 'paid' THEN 'paid_by_other'
    WHEN c.kind = 'ln' AND (c.attempt).to_node THEN 'not_our_invoice'
    WHEN NOT payment_is_sent(c.kind) AND c.payee_wallet IS NULL THEN 'unknown_recipient'
    WHEN c.payer_wallet = c.payee_wallet THEN 'self_payment'
    WHEN c.invoice_state = 'cancelled' THEN 'cancelled'
    WHEN coalesce(c.invoice_expires_at, (c.attempt).expires_at) <= p_at THEN 'expired'
    WHEN c.invoice_amount_msat <> (c.attempt).amount_msat THEN 'wrong_amount'
    WHEN c.is_locked THEN 'busy'
    WHEN c.cost_msat > c.available_msat THEN 'insufficient'
  END
$$;

-- Why a payment of the node cannot begin a second time: the ledger does not know the first one, which an operator made,
-- or a restored database has lost. The node would report its outcome, and the customer would pay for what was corrected
-- by hand.
CREATE OR REPLACE FUNCTION payment_node_verdict(c payment_candidate, p_settled text[], p_in_flight text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN NOT payment_is_sent(c.kind) THEN NULL
              WHEN (c.attempt).payment_hash = ANY (p_settled) THEN 'paid_by_other'
                WHEN (c.attempt).payment_hash = ANY (p_in_flight) THEN 'being_paid' END
$$;

-- The result of a payment that went to the ledger, by the ledger's code. A duplicate is the same attempt, which another
-- call or this one has just carried out.
CREATE OR REPLACE FUNCTION payment_begin_result(p_code text, p_kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p_code = 'ok' THEN CASE WHEN payment_is_sent(p_kind) THEN 'in_flight' ELSE 'settled' END
    WHEN p_code = 'duplicate' THEN CASE WHEN payment_is_sent(p_kind) THEN 'pending' ELSE 'settled' END
    WHEN p_code IN ('insufficient', 'out_of_range') THEN p_code
    WHEN p_code = 'conflict' THEN 'attempt_reused'
    ELSE 'refused' END
$$;

CREATE OR REPLACE FUNCTION payment_hold_legs(p_payer bigint, p_msat bigint) RETURNS ledger_leg[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[ROW(p_payer, -p_msat)]::ledger_leg[]
$$;

CREATE OR REPLACE FUNCTION payment_transfer_legs(p_payer bigint, p_payee bigint, p_msat bigint) RETURNS ledger_leg[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[ROW(p_payer, -p_msat), ROW(p_payee, p_msat)]::ledger_leg[]
$$;
