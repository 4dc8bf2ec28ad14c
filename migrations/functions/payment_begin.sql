-- Lock order: freezes (advisory, shared), payment hashes (advisory, sorted), our invoices by payment hash, accounts by
-- id, the dealer (advisory), then the ledger's.

CREATE OR REPLACE FUNCTION payment_begin_lock(p_attempts payment_attempt[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  hashes CONSTANT text[] := ARRAY(SELECT DISTINCT a.payment_hash FROM unnest(p_attempts) AS a
    WHERE a.payment_hash IS NOT NULL ORDER BY 1);
BEGIN
  -- A freeze that commits while this call waits for a lock would be read too early: it waits for this call.
  PERFORM pg_advisory_xact_lock_shared(lock_key('paymentFreeze'));
  -- From here on no other transaction can begin to pay these hashes.
  IF hashes <> '{}' THEN
    PERFORM pg_advisory_xact_lock(lock_key)
      FROM (SELECT DISTINCT payment_lock_key(h) AS lock_key FROM unnest(hashes) AS h ORDER BY 1) AS sorted;
    PERFORM 1 FROM invoice i WHERE i.payment_hash = ANY (hashes) ORDER BY i.payment_hash FOR NO KEY UPDATE;
  END IF;
  -- Before the payments are read: a retry that has waited for its own attempt finds it.
  RETURN account_lock(ARRAY(SELECT DISTINCT a.user_id FROM unnest(p_attempts) AS a));
END $$;

-- A retry that states another payment than the first call is 'other'. In cents the price may have moved between them,
-- and an invoice may have cost another amount than it states.
CREATE OR REPLACE FUNCTION payment_begin_known(p_attempts payment_attempt[], p_orders dealer_order[]) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT a.id FROM unnest(p_attempts) AS a);
BEGIN
  RETURN ARRAY(
    SELECT CASE WHEN p.id IS NULL THEN payment_approval_known(w, a.wallet_id, a.payment_hash)
        WHEN a.wallet_id = p.wallet_id AND a.payment_hash IS NOT DISTINCT FROM p.payment_hash
          AND a.recipient_wallet_id IS NOT DISTINCT FROM (SELECT t.counterparty_wallet_id FROM transaction t
            WHERE t.id = p.id AND p.kind = 'intraledger')
          AND (p.kind <> 'onchain' OR a.payment_request = p.payment_request)
          AND CASE WHEN (p_orders[a.ordinality]).amount_cents IS NULL THEN a.amount_msat = p.amount_msat
              OR p.kind = 'internal' AND a.amount_msat = (SELECT i.amount_msat FROM invoice i
                WHERE i.payment_hash = p.payment_hash)
            ELSE (p_orders[a.ordinality]).amount_cents = p.amount_cents END THEN p.state
        ELSE 'other' END
      FROM unnest(p_attempts) WITH ORDINALITY AS a LEFT JOIN payment p ON p.id = a.id AND p.id = ANY (ids)
        LEFT JOIN payment_approval w ON w.id = a.id AND w.id = ANY (ids)
     ORDER BY a.ordinality);
END $$;

-- Every table is read by `= ANY (array)` and joined only by hash: a plan made for empty tables cannot read whole ones.
CREATE OR REPLACE FUNCTION payment_begin_read(p_attempts payment_attempt[], p_orders dealer_order[], p_node text,
  p_limits account_limit[], p_limit_price bigint, p_accounts uuid[]) RETURNS payment_case[] LANGUAGE plpgsql AS $$
DECLARE
  hashes CONSTANT text[] := ARRAY(SELECT a.payment_hash FROM unnest(p_attempts) AS a WHERE a.payment_hash IS NOT NULL);
  wallets CONSTANT uuid[] := ARRAY(SELECT unnest(ARRAY[a.wallet_id, a.recipient_wallet_id]) FROM unnest(p_attempts) AS a
    UNION ALL SELECT i.wallet_id FROM invoice i WHERE i.payment_hash = ANY (hashes));
  known CONSTANT text[] := payment_begin_known(p_attempts, p_orders);
  lined CONSTANT text[] := ARRAY(SELECT l.payment_hash FROM payment_line l WHERE l.payment_hash = ANY (hashes));
  frozen CONSTANT text[] := ARRAY(SELECT f.subject FROM payment_freeze f
    WHERE f.subject = ANY ('all'::text || p_accounts::text[]));
  ended CONSTANT text[] := oauth_ended_credentials(ARRAY(SELECT a.principal_id FROM unnest(p_attempts) AS a));
BEGIN
  RETURN (WITH party AS MATERIALIZED (
    -- A join could be planned to read all accounts and users.
    SELECT p.*, (SELECT u.username FROM app_user u WHERE u.id = p.user_id) AS username
      FROM (SELECT w.id, w.account_id, w.currency, w.ledger_account_id, a.user_id, a.level FROM wallet w
        CROSS JOIN LATERAL (SELECT a.user_id, a.level FROM account a WHERE a.id = w.account_id OFFSET 0) AS a
        WHERE w.id = ANY (wallets) OFFSET 0) AS p
  ), bill AS MATERIALIZED (SELECT * FROM invoice i WHERE i.payment_hash = ANY (hashes)
  ), live AS MATERIALIZED (SELECT p.id, p.payment_hash, p.account_id, p.state FROM payment p
    WHERE p.payment_hash = ANY (hashes) AND p.state IN ('in_flight', 'settled')
  ), node AS MATERIALIZED (SELECT n.payment_hash, n.state FROM node_payment n
    WHERE n.node_id = p_node AND n.payment_hash = ANY (hashes) AND n.verdict <> 'unexplained'
  ), asked AS (
    SELECT a.*, b.payment_request <> a.payment_request AS is_mismatch,
      payment_attempt_kind(a.payment_hash, a.recipient_wallet_id, b.payment_request = a.payment_request) AS kind,
      msat_rounded_up(a.amount_msat + a.fee_limit_msat) AS hold_msat,
      a.payment_hash IS NOT NULL AND count(*) OVER (PARTITION BY a.payment_hash) > 1 AS is_crowded
      FROM unnest(p_attempts) WITH ORDINALITY AS a LEFT JOIN bill b ON b.payment_hash = a.payment_hash
  )
  SELECT array_agg(ROW(
      ROW(a.ordinality, ROW(a.id, a.user_id, a.wallet_id, a.recipient_wallet_id, a.payment_hash, a.payment_request,
        a.expires_at, a.amount_msat, a.fee_limit_msat, a.memo, a.principal_id, a.client_id, a.to_node)::payment_attempt,
        a.kind, (x.terms).debit, known[a.ordinality], payer.id, payer.account_id, payer.currency,
        payer.ledger_account_id, payer.username, payee.id, payee.currency, payee.ledger_account_id, payee.username,
        l.id, l.account_id, l.state, a.is_mismatch, b.state, b.expires_at, b.amount_msat, b.preimage, b.memo,
        b.external_id, b.by_owner, NULL, CASE WHEN a.is_crowded THEN (SELECT x.posted - x.held FROM ledger_account x
          WHERE x.id = payer.ledger_account_id) END)::payment_candidate, x.terms, p_orders[a.ordinality],
      payment_spend_after_reset(payment_spend(a.ordinality, payer.account_id, x.flow, payer.currency, x.terms,
        p_limit_price, a.amount_msat, m.cents), x.flow, user_reset_limit(a.user_id)),
      coalesce(payment_node_verdict(a.kind, node.state), payment_line_verdict(a.payment_hash, payer.account_id, lined)),
      coalesce(payment_credential_verdict(a.principal_id, ended), payment_freeze_verdict(payer.account_id, frozen))
    )::payment_case ORDER BY a.ordinality)
    FROM asked a
    LEFT JOIN live l ON l.payment_hash = a.payment_hash LEFT JOIN node ON node.payment_hash = a.payment_hash
    LEFT JOIN bill b ON b.payment_hash = a.payment_hash AND a.kind = 'internal'
    LEFT JOIN party payer ON payer.id = a.wallet_id AND payer.user_id = a.user_id
    LEFT JOIN party payee ON payee.id = coalesce(b.wallet_id, a.recipient_wallet_id)
    CROSS JOIN LATERAL (SELECT account_flow(payment_is_sent(a.kind), payer.account_id = payee.account_id) AS flow,
      CASE WHEN 'USD' IN (payer.currency, payee.currency)
        THEN CASE WHEN payer.currency = 'BTC' AND b.dealer_cents_per_btc IS NOT NULL
          THEN dealer_bill_terms(a.amount_msat, p_orders[a.ordinality], b.amount_cents, b.dealer_cents_per_btc,
            payer.account_id = payee.account_id)
          ELSE dealer_terms_of(payer.currency, payee.currency, a.amount_msat, c.cost_msat, p_orders[a.ordinality],
            b.amount_msat, b.amount_cents, b.dealer_cents_per_btc) END
        ELSE ROW(a.amount_msat, c.cost_msat, a.amount_msat, NULL, 0)::dealer_terms END AS terms
      FROM (SELECT CASE WHEN payment_is_sent(a.kind) THEN a.hold_msat ELSE a.amount_msat END AS cost_msat) AS c
      OFFSET 0) AS x
    LEFT JOIN unnest(p_limits) AS m ON m.level = payer.level AND m.flow = x.flow);
END $$;

-- The locks of the accounts are held. Null: nothing limits them.
CREATE OR REPLACE FUNCTION payment_begin_limits(p_cases payment_case[], p_at timestamptz) RETURNS payment_limits
LANGUAGE plpgsql AS $$
DECLARE
  asks CONSTANT budget_ask[] := budget_asks(p_cases);
  approved CONSTANT uuid[] := CASE WHEN asks = '{}' THEN '{}' ELSE payment_approved(p_cases) END;
  alone CONSTANT int[] := budget_ask_alone(p_cases, asks, approved);
  limits payment_limits;
BEGIN
  -- Budgets come first: a payment beyond both limits is refused for its budget. One within both may have to ask.
  limits.spends := budget_spends(p_cases) || ARRAY(SELECT c.spend FROM unnest(p_cases) AS c ORDER BY (c.spend).n)
    || budget_ask_spends(p_cases, asks, approved);
  IF alone = '{}' AND NOT EXISTS (SELECT FROM unnest(limits.spends) AS s WHERE s.most IS NOT NULL) THEN
    RETURN limits;
  END IF;
  limits.rests := spending_rests(limits.spends, p_at);
  -- Nearly always the batch is within what the poorest of its owners has left.
  limits.is_within := (SELECT coalesce(sum(r.cost) <= min(r.rest), true) FROM unnest(limits.rests) AS r);
  IF limits.is_within AND alone = '{}' THEN RETURN limits; END IF;
  limits.refusals := spending_refusals(limits.spends, limits.rests, cardinality(p_cases));
  -- A wallet that cannot afford a payment is the reason, not the limit of the account, and its owner is not asked.
  limits.refusals := ARRAY(
    SELECT CASE WHEN x.refusal IN ((c.spend).refusal, 'needs_approval') AND (c.payment).cost_msat > (
        SELECT l.posted - l.held FROM ledger_account l WHERE l.id = (c.payment).payer_ledger) THEN 'insufficient'
        ELSE x.refusal END
      FROM unnest(limits.refusals) WITH ORDINALITY AS r(refusal, n) JOIN unnest(p_cases) AS c ON (c.spend).n = r.n
        CROSS JOIN LATERAL (SELECT coalesce(r.refusal, CASE WHEN r.n = ANY (alone) THEN 'needs_approval' END)
          AS refusal) AS x
     ORDER BY r.n);
  RETURN limits;
END $$;

-- One batch at a time adds to what the dealer owes, or its limit would not be exact. Null: nothing is added.
CREATE OR REPLACE FUNCTION dealer_lock(p_cases payment_case[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM unnest(p_cases) AS c WHERE (c.terms).rise > 0) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(lock_key('dealer'));
  RETURN -(SELECT a.posted FROM ledger_account a WHERE a.id = ledger_system_account('dealerUsd'));
END $$;

-- The ledger's code is null for payments that did not go to it.
CREATE OR REPLACE FUNCTION payment_begin_move(p_cases payment_case[], p_judgements payment_judgement[]) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
  sent CONSTANT int[] := ARRAY(SELECT j.n FROM unnest(p_judgements) AS j WHERE j.goes ORDER BY j.n);
  codes text[];
BEGIN
  IF sent = '{}' THEN RETURN '{}'; END IF;
  codes := ledger_apply(ARRAY(
    SELECT ROW(CASE WHEN payment_is_sent(s.kind) THEN 'hold' ELSE 'post' END, (s.attempt).id,
      ledger_journal_kind('payment_begin'), NULL,
      CASE WHEN payment_is_sent(s.kind) THEN payment_hold_legs(s.payer_ledger, s.cost_msat)
        WHEN s.payer_currency = s.payee_currency
          THEN payment_transfer_legs(s.payer_ledger, s.payee_ledger, s.cost_msat)
        WHEN s.payer_currency = 'BTC'
          THEN dealer_legs(s.payer_ledger, -s.cost_msat, s.payee_ledger, -(c.terms).credit)
        ELSE dealer_legs(s.payee_ledger, (c.terms).credit, s.payer_ledger, s.cost_msat) END)::ledger_operation
      FROM unnest(p_cases) AS c, LATERAL (SELECT (c.payment).*) AS s WHERE s.n = ANY (sent) ORDER BY s.n));
  RETURN ARRAY(SELECT codes[array_position(sent, g.n)] FROM generate_series(1, cardinality(p_cases)) AS g(n));
END $$;

-- Begins payments of four kinds, which only this and payment_verdict.sql distinguish:
--   intraledger: the attempt names a recipient's wallet: money moves now. With a payment_request it was asked for by a
--     bitcoin address of that wallet
--   internal: the invoice is ours (hash and text): money moves now, and the invoice is paid
--   ln: any other invoice: amount and fee limit are held, and the caller asks the node p_node next
--   onchain: no hash and no wallet, but the address in payment_request: they are held until a batch is confirmed
-- The attempt's id is also that of its ledger operation, its hold and its history row, so a caller may retry a call
-- whose response was lost. One row each, in order:
--   settled | in_flight: begun by this call; a retry gets the attempt's state: settled, pending, or refused
--   attempt_reused: the attempt is known, and was another payment
--   already_paid | pending: this account has paid this invoice, or is paying it
--   paid_by_other | being_paid: another account, or the node without the ledger; being_paid also while others wait
--   text_mismatch: the hash is that of our invoice, and this is not our text of it
--   not_our_invoice: the text names our node as the payee, and it is no invoice of ours
--   unknown_wallet | unknown_recipient | self_payment | expired | cancelled | wrong_amount
--   wrong_currency: the amount is in the other currency than the payer's wallet
--   no_price | price_moved | amount_too_small | dealer_limit: dealer_verdict
--   daily_budget | weekly_budget | monthly_budget | annual_budget: of its key or app
--   needs_approval: of the owner of its key or app, beyond what these may send alone; or it waits for that
--   withdrawal_limit | internal_send_limit | convert_limit: of its account, limit_cents
--   reset_limit: of its account, for a day after a reset of the password
--   credential_ended: since its request was identified
--   access_paused: its owner, or all users
--   account_frozen | sends_stopped: of this account, or of all
--   insufficient | out_of_range | refused (the ledger's other codes)
--   again: others of the batch with this hash, or that use up a limit, went to the ledger: retry
-- p_limit_cents: the most that the dealer may owe. p_limit_price: cents for one bitcoin, at which p_limits count
-- bitcoin. to_node: the text names p_node as the payee.
CREATE OR REPLACE FUNCTION payment_begin_v2(p_attempts payment_attempt[], p_orders dealer_order[], p_node text,
  p_cents_per_btc bigint, p_limit_cents bigint, p_limits account_limit[], p_limit_price bigint)
RETURNS TABLE (result text, payment_id uuid, limit_cents bigint) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET enable_hashjoin = on AS $$
DECLARE
  accounts uuid[]; at timestamptz; cases payment_case[]; limits payment_limits; owed bigint;
  judgements payment_judgement[]; codes text[];
BEGIN
  accounts := payment_begin_lock(p_attempts);
  -- While this call waited for the locks, another may have carried out the same attempts.
  at := clock_timestamp();
  cases := payment_begin_read(p_attempts, p_orders, p_node, p_limits, p_limit_price, accounts);
  limits := payment_begin_limits(cases, at);
  owed := dealer_lock(cases);
  judgements := payment_begin_judge(cases, limits, owed, p_limit_cents, at);
  codes := payment_begin_move(cases, judgements);
  IF 'ok' = ANY (codes) THEN
    PERFORM payment_begin_write(cases, limits.spends, codes, p_node, p_cents_per_btc);
  END IF;
  RETURN QUERY SELECT * FROM payment_begin_answer(cases, judgements, codes);
END $$;
