-- Pure functions judge what payment_begin_v2 has read under its locks.

-- Amount and fee limit are held, and the caller sends the payment next, or the queue of payouts does.
CREATE OR REPLACE FUNCTION payment_is_sent(p_kind text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_kind IN ('ln', 'onchain')
$$;

-- p_is_text: the text is that of our invoice; null: the hash is of no invoice of ours.
CREATE OR REPLACE FUNCTION payment_kind(p_hash text, p_is_text boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_hash IS NULL THEN 'intraledger' WHEN p_is_text THEN 'internal' ELSE 'ln' END
$$;

CREATE OR REPLACE FUNCTION payment_attempt_kind(p_hash text, p_wallet uuid, p_is_text boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN num_nonnulls(p_hash, p_wallet) = 0 THEN 'onchain' ELSE payment_kind(p_hash, p_is_text) END
$$;

CREATE OR REPLACE FUNCTION payment_spend(p_n bigint, p_account uuid, p_flow text, p_currency text, t dealer_terms,
  p_price bigint, p_msat bigint, p_limit_cents bigint) RETURNS spend LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(p_n, p_account::text, p_flow, CASE p_currency WHEN 'USD' THEN 0 ELSE t.amount END,
    CASE p_currency WHEN 'USD' THEN t.amount ELSE 0 END, p_price, spending_worth(0, p_limit_cents, p_price),
    p_flow || '_limit')::spend
$$;

-- p_limit_msat: of a person whose password was reset; null: none. It does not depend on a price.
CREATE OR REPLACE FUNCTION payment_spend_after_reset(s spend, p_flow text, p_limit_msat bigint) RETURNS spend
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_limit_msat IS NULL OR p_flow = 'convert' OR s.most <= spending_worth(p_limit_msat, 0, s.price)
    THEN s ELSE ROW(s.n, s.owner, s.part, s.msat, s.cents, s.price, spending_worth(p_limit_msat, 0, s.price),
      'reset_limit')::spend END
$$;

-- Null: the payment goes to the ledger.
CREATE OR REPLACE FUNCTION payment_verdict(c payment_candidate, p_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN c.known_state IS NOT NULL THEN CASE c.known_state WHEN 'settled' THEN 'settled' WHEN 'failed' THEN 'refused'
      WHEN 'other' THEN 'attempt_reused' WHEN 'waiting' THEN 'needs_approval' ELSE 'pending' END
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
  END
$$;

-- An operator made this payment of the node, or a restored database has lost it. A second one would get its outcome,
-- and the customer would pay for what was corrected by hand.
CREATE OR REPLACE FUNCTION payment_node_verdict(p_kind text, p_state text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN payment_is_sent(p_kind)
    THEN CASE p_state WHEN 'settled' THEN 'paid_by_other' WHEN 'in_flight' THEN 'being_paid' END END
$$;

-- A request is identified when it arrives, and its payment may begin seconds later.
CREATE OR REPLACE FUNCTION payment_credential_verdict(p_principal text, p_ended text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_principal = ANY (p_ended) THEN 'credential_ended'
    WHEN 'paused:' || p_principal = ANY (p_ended) THEN 'access_paused' END
$$;

-- Null: the payment goes to the ledger.
CREATE OR REPLACE FUNCTION dealer_verdict(c payment_candidate, o dealer_order, t dealer_terms, p_owed_cents bigint,
  p_limit_cents bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN c.payer_currency = 'BTC' AND o.amount_cents IS NOT NULL THEN 'wrong_currency'
    WHEN c.payer_currency = 'USD' AND c.kind = 'intraledger' AND o.amount_cents IS NULL THEN 'wrong_currency'
    WHEN c.payer_currency <> coalesce(c.payee_currency, 'BTC') AND t.price IS NULL THEN 'no_price'
    WHEN t.debit IS NULL THEN 'no_price'
    WHEN c.payer_currency = 'BTC' AND t.debit > msat_rounded_up(c.invoice_amount_msat + c.invoice_amount_msat / 200)
      THEN 'price_moved'
    WHEN t.credit = 0 THEN 'amount_too_small'
    WHEN t.rise > 0 AND p_owed_cents + t.rise > p_limit_cents THEN 'dealer_limit'
  END
$$;

-- A duplicate is the same attempt, which another call or this one has just carried out.
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

-- A payment that is refused anyway is refused for that reason, frozen or not; a wallet that is short comes last, as in
-- the ledger, which judges the payments whose hash is not crowded. Only the first payment of a hash goes to
-- the ledger, and only those that a limit covers together: the first is within it by itself, so each round begins one.
-- p_most_cents bounds p_owed_cents, the dealer's debt.
CREATE OR REPLACE FUNCTION payment_begin_judge(p_cases payment_case[], p_limits payment_limits, p_owed_cents bigint,
  p_most_cents bigint, p_at timestamptz) RETURNS payment_judgement[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  judgements payment_judgement[]; beyond int[] := '{}';
BEGIN
  judgements := ARRAY(
    SELECT ROW(j.n, j.verdict, j.first, coalesce(j.first = j.n, false))::payment_judgement
      FROM (SELECT v.n, v.verdict, CASE WHEN v.verdict IS NOT NULL THEN NULL WHEN v.payment_hash IS NULL THEN v.n
                ELSE min(v.n) OVER (PARTITION BY v.payment_hash, v.verdict IS NULL) END AS first
              FROM (SELECT (c.payment).n, ((c.payment).attempt).payment_hash,
                  coalesce(payment_verdict(c.payment, p_at), c.node_verdict,
                    dealer_verdict(c.payment, c.dealer_order, c.terms, p_owed_cents, p_most_cents),
                    c.freeze_verdict, p_limits.refusals[(c.payment).n],
                    CASE WHEN (c.payment).cost_msat > (c.payment).available_msat THEN 'insufficient' END) AS verdict
                  FROM unnest(p_cases) AS c) AS v) AS j
     ORDER BY j.n);
  IF p_owed_cents IS NOT NULL THEN
    beyond := ARRAY(SELECT x.n
      FROM (SELECT j.n, sum((c.terms).rise) OVER (ORDER BY j.n) AS total
              FROM unnest(p_cases) AS c JOIN unnest(judgements) AS j ON j.n = (c.payment).n
             WHERE j.goes AND (c.terms).rise > 0) AS x
     WHERE p_owed_cents + x.total > p_most_cents);
  END IF;
  IF NOT p_limits.is_within THEN
    beyond := beyond || spending_beyond(p_limits.spends, p_limits.rests,
      ARRAY(SELECT j.n FROM unnest(judgements) AS j WHERE j.goes AND j.n <> ALL (beyond)));
  END IF;
  IF beyond = '{}' THEN RETURN judgements; END IF;
  RETURN ARRAY(SELECT ROW(j.n, j.verdict, j.first, j.goes AND j.n <> ALL (beyond))::payment_judgement
    FROM unnest(judgements) AS j ORDER BY j.n);
END $$;

-- A repeat in the batch gets the same result: otherwise many calls for one payment that their wallet cannot afford
-- would take one round each. p_codes: the ledger's.
CREATE OR REPLACE FUNCTION payment_begin_answer(p_cases payment_case[], p_judgements payment_judgement[],
  p_codes text[]) RETURNS TABLE (result text, payment_id uuid, limit_cents bigint) LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_codes[j.first] IS NULL THEN coalesce(j.verdict, 'again')
      WHEN j.first = j.n OR (p_codes[j.first] NOT IN ('ok', 'duplicate')
        AND (a.wallet_id, a.amount_msat, a.fee_limit_msat)
          = ((f.attempt).wallet_id, (f.attempt).amount_msat, (f.attempt).fee_limit_msat))
        THEN payment_begin_result(p_codes[j.first], f.kind)
      ELSE 'again' END,
    CASE WHEN (c.payment).known_state IS NULL THEN coalesce((c.payment).live_id, a.id) ELSE a.id END,
    CASE WHEN j.verdict = (c.spend).refusal THEN div((c.spend).most, spending_worth(0, 1, 0))::bigint END
    FROM unnest(p_cases) AS c JOIN unnest(p_judgements) AS j ON j.n = (c.payment).n
    CROSS JOIN LATERAL (SELECT ((c.payment).attempt).*) AS a
    CROSS JOIN LATERAL (SELECT ((p_cases[j.first]).payment).*) AS f
   ORDER BY j.n
$$;
