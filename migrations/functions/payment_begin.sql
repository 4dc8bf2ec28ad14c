-- Begins payments. Lock order: freezes (advisory, shared), payment hashes (advisory, sorted), our invoices by payment
-- hash, accounts by id, the dealer (advisory), then the ledger's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Begins payments of three kinds, which are distinguished only here and in payment_verdict.sql:
--   intraledger  the attempt names a recipient's wallet: money moves now
--   internal     the invoice is ours (hash and text): money moves now, the invoice is paid, no node is asked to pay
--   ln           any other invoice: amount and fee limit are held, and the caller asks the node p_node next
-- The attempt's id is its idempotency id, also of its ledger operation, its hold and its history row: a caller may
-- retry a call whose response was lost. One row per attempt, in order: its result, with the payment that it is about
--   settled | in_flight        begun by this call; a retry of an id gets the state of the attempt: settled, pending, or
--                              refused if it failed
--   attempt_reused             the attempt is known, and was another payment
--   already_paid | pending     this account has paid this invoice, or is paying it
--   paid_by_other              another account has paid it, or the node without the ledger
--   being_paid                 another account is paying it, or the node without the ledger
--   text_mismatch              the hash is that of our invoice, its preimage was made here, and this is not our text of
--                              it
--   not_our_invoice            the text names our node as the payee, and it is no invoice of ours
--   unknown_wallet | unknown_recipient | self_payment | expired | cancelled | wrong_amount
--   wrong_currency             the amount is in the other currency than the payer's wallet
--   no_price | amount_too_small | dealer_limit   the dealer does not exchange it: dealer_verdict
--   daily_budget | weekly_budget | monthly_budget | annual_budget   the budget of its key or app does not cover it
--     (budget.sql)
--   withdrawal_limit | internal_send_limit | convert_limit   the account's limit does not cover it: limit_cents
--     (account_limit.sql)
--   account_frozen | sends_stopped   the sends of this account, or of all, are stopped (payment_freeze)
--   insufficient | out_of_range | refused (the ledger's other codes)
--   busy                       another transaction holds its hash, its invoice or an account of it (only with
--                              p_skip_locked)
--   again                      another payment of this hash in the same batch went to the ledger, or others that use up
--                              what the dealer may still owe, the budget, or the account's limit: retry
-- p_orders: one for each attempt. p_limit_cents: the most that the dealer may owe. p_limits: the limits of accounts;
-- null: they have none. p_limit_price: cents for one bitcoin, at which they count bitcoin. to_node: the text names
-- p_node as the payee. p_skip_locked: do not wait for locks (for what has waited too long before).
--
-- Every table is read once, by `= ANY (array)`, and joined only by hash: the settings allow no plan that was made for
-- empty tables to read whole ones.
CREATE OR REPLACE FUNCTION payment_begin_v2(p_attempts payment_attempt[], p_orders dealer_order[], p_node text,
  p_cents_per_btc bigint, p_limit_cents bigint, p_limits account_limit[], p_limit_price bigint, p_skip_locked boolean)
RETURNS TABLE (result text, payment_id uuid, limit_cents bigint) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET enable_hashjoin = on AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT a.id FROM unnest(p_attempts) AS a);
  hashes CONSTANT text[] := ARRAY(SELECT DISTINCT a.payment_hash FROM unnest(p_attempts) AS a
    WHERE a.payment_hash IS NOT NULL ORDER BY 1);
  wallets uuid[] := ARRAY(SELECT a.wallet_id FROM unnest(p_attempts) AS a UNION ALL SELECT a.recipient_wallet_id
    FROM unnest(p_attempts) AS a);
  locked text[]; free text[]; accounts_free bigint[]; at timestamptz;
  candidates payment_candidate[]; terms dealer_terms[]; sent payment_candidate[]; verdicts text[]; firsts int[];
  owed bigint; beyond int[] := '{}'; accounts uuid[]; spends spend[]; rests spend_rest[]; is_due boolean;
  is_within boolean; of_budgets spend[]; of_budget_rests spend_rest[]; refusals text[];
  codes text[]; paid text[]; frozen text[]; node_paid text[]; node_pays text[];
BEGIN
  -- A freeze that commits while this call waits for a lock would be read too early: it waits for this call instead.
  PERFORM pg_advisory_xact_lock_shared(lock_key('paymentFreeze'));
  -- 1. Lock the hashes: from here on no other transaction can begin to pay them.
  IF p_skip_locked THEN
    locked := ARRAY(SELECT h FROM unnest(hashes) AS h WHERE NOT pg_try_advisory_xact_lock(payment_lock_key(h)));
    free := ARRAY(SELECT i.payment_hash FROM invoice i WHERE i.payment_hash = ANY (hashes) ORDER BY i.payment_hash
      FOR NO KEY UPDATE SKIP LOCKED);
    locked := locked || ARRAY(SELECT i.payment_hash FROM invoice i
      WHERE i.payment_hash = ANY (hashes) AND i.payment_hash <> ALL (free));
  ELSIF hashes <> '{}' THEN
    PERFORM pg_advisory_xact_lock(lock_key)
      FROM (SELECT DISTINCT payment_lock_key(h) AS lock_key FROM unnest(hashes) AS h ORDER BY 1) AS sorted;
    PERFORM 1 FROM invoice i WHERE i.payment_hash = ANY (hashes) ORDER BY i.payment_hash FOR NO KEY UPDATE;
  END IF;
  IF hashes <> '{}' THEN
    wallets := wallets || ARRAY(SELECT i.wallet_id FROM invoice i WHERE i.payment_hash = ANY (hashes));
  END IF;
  IF p_skip_locked THEN
    accounts_free := ledger_lock_free(ARRAY(SELECT w.ledger_account_id FROM wallet w WHERE w.id = ANY (wallets)));
  END IF;
  -- Before the payments are read: a retry that has waited for its own attempt finds it.
  accounts := account_lock(ARRAY(SELECT DISTINCT a.user_id FROM unnest(p_attempts) AS a), p_skip_locked);
  at := clock_timestamp();

  -- 2. Read after the locks: while this call waited, another one may have carried out the same attempts.
  WITH party AS MATERIALIZED (
      -- Subqueries for each wallet, because a join could be planned to read all accounts and users.
      SELECT p.*, (SELECT u.username FROM app_user u WHERE u.id = p.user_id) AS username
        FROM (SELECT w.id, w.account_id, w.currency, w.ledger_account_id, a.user_id, a.level FROM wallet w
          CROSS JOIN LATERAL (SELECT a.user_id, a.level FROM account a WHERE a.id = w.account_id OFFSET 0) AS a
          WHERE w.id = ANY (wallets) OFFSET 0) AS p
    ),
      bound AS MATERIALIZED (SELECT b.* FROM spending_bound b WHERE b.owner = ANY (ARRAY(SELECT unnest(accounts)::text))
    ), bill AS MATERIALIZED (SELECT * FROM invoice i WHERE i.payment_hash = ANY (hashes)
    ),
      live AS MATERIALIZED (SELECT p.id, p.payment_hash, p.account_id, p.state FROM payment p
        WHERE p.payment_hash = ANY (hashes) AND p.state IN ('in_flight', 'settled')
    ), known AS MATERIALIZED (
      -- A retry states what the first call did. In cents the price may have moved between them.
      SELECT a.ordinality AS n,
        CASE
          WHEN a.wallet_id = p.wallet_id AND a.payment_hash IS NOT DISTINCT FROM p.payment_hash
            AND a.recipient_wallet_id IS NOT DISTINCT FROM (SELECT t.counterparty_wallet_id FROM transaction t
              WHERE t.id = p.id AND p.kind = 'intraledger')
            AND CASE WHEN (p_orders[a.ordinality]).amount_cents IS NULL THEN a.amount_msat = p.amount_msat
              ELSE (p_orders[a.ordinality]).amount_cents = p.amount_cents END THEN p.state
          ELSE 'other' END AS state
        FROM unnest(p_attempts) WITH ORDINALITY AS a JOIN payment p ON p.id = a.id AND p.id = ANY (ids)
    ), asked AS (
      -- If Sluice made the preimage, another text of this hash cannot be paid: its signer does not have the preimage.
      -- If Sluice does not have the preimage, its owner may have signed other texts.
      SELECT a.ordinality AS n,
        ROW(a.id, a.user_id, a.wallet_id, a.recipient_wallet_id, a.payment_hash, a.payment_request, a.expires_at,
          a.amount_msat, a.fee_limit_msat, a.memo, a.principal_id, a.client_id, a.to_node)::payment_attempt AS attempt,
        a.id, a.user_id, a.wallet_id, a.recipient_wallet_id, a.payment_hash,
        b.payment_request <> a.payment_request AS is_mismatch,
        CASE WHEN a.payment_hash IS NULL THEN 'intraledger'
          WHEN b.payment_request <> a.payment_request OR b.payment_hash IS NULL THEN 'ln' ELSE 'internal' END AS kind,
        msat_rounded_up(a.amount_msat + a.fee_limit_msat) AS hold_msat, a.amount_msat, a.payment_hash IS NOT NULL
        AND count(*) OVER (PARTITION BY a.payment_hash) > 1 AS is_crowded
        FROM unnest(p_attempts) WITH ORDINALITY AS a LEFT JOIN bill b ON b.payment_hash = a.payment_hash
    ), found AS (
      SELECT a.n, a.attempt, a.kind, a.amount_msat, payee.account_id AS payee_account, k.state AS known_state,
        payer.id AS payer_id, payer.account_id AS payer_account, payer.level, payer.currency AS payer_currency,
        payer.ledger_account_id AS payer_ledger, payer.username AS payer_username, payee.id AS payee_id,
        payee.currency AS payee_currency, payee.ledger_account_id AS payee_ledger, payee.username AS payee_username,
        l.id AS live_id, l.account_id AS live_account, l.state AS live_state, a.is_mismatch, b.state AS bill_state,
        b.expires_at AS bill_expires_at, b.amount_msat AS bill_msat, b.preimage AS bill_preimage, b.memo AS bill_memo,
        b.external_id AS bill_external_id, b.by_owner AS bill_by_owner,
        CASE
          WHEN 'USD' IN (payer.currency, payee.currency) THEN dealer_terms_of(payer.currency, payee.currency,
            a.amount_msat, a.cost_msat, p_orders[a.n], b.amount_msat, b.amount_cents, b.dealer_cents_per_btc)
          ELSE ROW(a.amount_msat, a.cost_msat, a.amount_msat, NULL, 0)::dealer_terms END AS t,
        p_skip_locked
        AND (a.payment_hash = ANY (locked) OR payer.ledger_account_id <> ALL (accounts_free)
          OR payee.ledger_account_id <> ALL (accounts_free) OR payer.account_id <> ALL (accounts)) AS is_locked,
             -- A payment that its wallet cannot afford must not be the first of its hash: sent in a loop, it makes the
             -- others retry each time.
             CASE
               WHEN a.is_crowded THEN (SELECT x.posted - x.held FROM ledger_account x
                 WHERE x.id = payer.ledger_account_id) END AS available
        FROM (SELECT *, CASE WHEN payment_is_sent(kind) THEN hold_msat ELSE amount_msat END AS cost_msat
          FROM asked) AS a
        LEFT JOIN known k ON k.n = a.n
        LEFT JOIN live l ON l.payment_hash = a.payment_hash
        LEFT JOIN bill b ON b.payment_hash = a.payment_hash AND a.kind = 'internal'
        LEFT JOIN party payer ON payer.id = a.wallet_id AND payer.user_id = a.user_id
        LEFT JOIN party payee ON payee.id = coalesce(b.wallet_id, a.recipient_wallet_id)
      OFFSET 0
    ), spent AS (
      -- what a payment takes of its account's limit. An account that is not locked has no owner here: what it has spent
      -- may change
      SELECT f.*, CASE WHEN f.payer_account = ANY (accounts) THEN f.payer_account::text END AS owner,
        account_flow(payment_is_sent(f.kind), f.payer_account = f.payee_account) AS flow,
        CASE f.payer_currency WHEN 'USD' THEN 0 ELSE f.amount_msat END AS msat,
        CASE f.payer_currency WHEN 'USD' THEN (f.t).amount ELSE 0 END AS cents
        FROM found f OFFSET 0
    ), limited AS (
      SELECT s.*, s.flow || '_limit' AS refusal, spending_worth(s.msat, s.cents, p_limit_price) AS cost,
        spending_worth(0, l.cents, p_limit_price) AS most, spending_worth(k.msat, k.cents, p_limit_price) AS bound,
        k.read_after
        FROM spent s LEFT JOIN unnest(p_limits) AS l ON l.level = s.level AND l.flow = s.flow AND s.owner IS NOT NULL
          LEFT JOIN bound k ON k.owner = s.owner AND k.part = s.flow
      OFFSET 0
    )
    SELECT array_agg(ROW(x.n, x.attempt, x.kind, (x.t).debit, x.known_state, x.payer_id, x.payer_account,
      x.payer_currency, x.payer_ledger, x.payer_username, x.payee_id, x.payee_currency, x.payee_ledger,
      x.payee_username, x.live_id, x.live_account, x.live_state, x.is_mismatch, x.bill_state, x.bill_expires_at,
      x.bill_msat, x.bill_preimage, x.bill_memo, x.bill_external_id, x.bill_by_owner, x.is_locked,
      x.available)::payment_candidate
      ORDER BY x.n),
      array_agg(x.t ORDER BY x.n),
      array_agg(ROW(x.n, x.owner, x.flow, x.msat, x.cents, p_limit_price, x.most, x.refusal)::spend ORDER BY x.n),
      array_agg(spending_rest(x.cost, x.most, x.bound, x.refusal) ORDER BY x.n),
      bool_or(spending_is_due(x.cost, x.most, x.bound, x.read_after, at)),
      sum(x.cost) <= min(least(x.most, x.most - x.bound))
      INTO candidates, terms, spends, rests, is_due, is_within FROM limited AS x;
  owed := dealer_lock(terms, p_skip_locked);
  IF is_due THEN rests := spending_rests(spends, at); is_within := false; END IF;
  of_budgets := budget_spends(candidates, accounts);
  IF of_budgets <> '{}' THEN
    of_budget_rests := spending_rests(of_budgets, at);
    refusals := spending_refusals(of_budgets, of_budget_rests, cardinality(candidates));
    spends := spends || of_budgets; rests := rests || of_budget_rests; is_within := false;
  END IF;

  -- 3. Judge. What is refused anyway is refused for that reason, frozen or not. Of the payments of one hash that may
  -- begin, only the first goes to the ledger.
  frozen := ARRAY(SELECT f.subject FROM payment_freeze f WHERE f.subject = ANY ('all'::text || accounts::text[]));
  SELECT array_agg(n.payment_hash) FILTER (WHERE n.state = 'settled'),
    array_agg(n.payment_hash) FILTER (WHERE n.state = 'in_flight')
    INTO node_paid, node_pays
    FROM node_payment n WHERE n.node_id = p_node AND n.payment_hash = ANY (hashes) AND n.verdict <> 'unexplained';
  SELECT array_agg(j.verdict ORDER BY j.n), array_agg(CASE WHEN j.verdict IS NULL THEN j.first END ORDER BY j.n)
    INTO verdicts, firsts
    FROM (SELECT v.n, v.verdict,
      CASE WHEN v.payment_hash IS NULL THEN v.n
        ELSE min(v.n) OVER (PARTITION BY v.payment_hash, v.verdict IS NULL) END AS first
      FROM (SELECT c.n, (c.attempt).payment_hash,
        coalesce(payment_verdict(c, at), payment_node_verdict(c, node_paid, node_pays),
          dealer_verdict(c, p_orders[c.n], terms[c.n], owed, p_limit_cents),
          payment_freeze_verdict(c.payer_account, frozen), refusals[c.n],
          CASE WHEN (rests[c.n]).refusal IS NULL THEN NULL
            WHEN c.cost_msat > (SELECT x.posted - x.held FROM ledger_account x
              WHERE x.id = c.payer_ledger) THEN 'insufficient'
            ELSE (rests[c.n]).refusal END) AS verdict
        FROM unnest(candidates) AS c) AS v) AS j;
  IF owed IS NOT NULL THEN  -- the first of them is within the limit by itself, so each round begins one
    beyond := ARRAY(SELECT x.n
      FROM (SELECT c.n, sum((terms[c.n]).rise) OVER (ORDER BY c.n) AS total FROM unnest(candidates) AS c
        WHERE firsts[c.n] = c.n AND (terms[c.n]).rise > 0) AS x
      WHERE owed + x.total > p_limit_cents);
  END IF;
  -- The same. Nearly always the whole batch is within what the poorest of its accounts has left.
  IF NOT is_within THEN
    beyond := beyond
      || spending_beyond(spends, rests,
        ARRAY(SELECT c.n FROM unnest(candidates) AS c WHERE firsts[c.n] = c.n AND c.n <> ALL (beyond)));
  END IF;
  sent := ARRAY(SELECT c FROM unnest(candidates) AS c WHERE firsts[c.n] = c.n AND c.n <> ALL (beyond) ORDER BY c.n);

  -- 4. Move or hold the money.
  IF sent <> '{}' THEN
    codes := ledger_apply(ARRAY(
      SELECT ROW(CASE WHEN payment_is_sent(s.kind) THEN 'hold' ELSE 'post' END, (s.attempt).id,
        ledger_journal_kind('payment_begin'), NULL,
        CASE WHEN payment_is_sent(s.kind) THEN payment_hold_legs(s.payer_ledger, s.cost_msat)
          WHEN s.payer_currency = s.payee_currency THEN payment_transfer_legs(s.payer_ledger, s.payee_ledger,
            s.cost_msat)
          WHEN s.payer_currency = 'BTC' THEN dealer_legs(s.payer_ledger, -s.cost_msat, s.payee_ledger,
            -(terms[s.n]).credit)
          ELSE dealer_legs(s.payee_ledger, (terms[s.n]).credit, s.payer_ledger, s.cost_msat) END)::ledger_operation
        FROM unnest(sent) AS s ORDER BY s.n));
  END IF;

  -- 5. Write the payments, both sides of the history, and the invoices.
  IF 'ok' = ANY (codes) THEN
    INSERT INTO payment (id, account_id, wallet_id, kind, payment_hash, payment_request, amount_msat, fee_limit_msat,
      fee_msat, node_id, state, preimage, principal_id, client_id, finished_at, amount_cents, held_cents,
      dealer_cents_per_btc)
      SELECT a.id, s.payer_account, a.wallet_id, s.kind, a.payment_hash, a.payment_request, a.amount_msat,
        CASE WHEN payment_is_sent(s.kind) THEN a.fee_limit_msat ELSE 0 END,
        CASE WHEN NOT payment_is_sent(s.kind) THEN 0 END, CASE s.kind WHEN 'ln' THEN p_node END,
        CASE WHEN payment_is_sent(s.kind) THEN 'in_flight' ELSE 'settled' END, s.invoice_preimage, a.principal_id,
        a.client_id, CASE WHEN NOT payment_is_sent(s.kind) THEN clock_timestamp() END,
        CASE s.payer_currency WHEN 'USD' THEN (terms[s.n]).amount END,
        CASE s.payer_currency WHEN 'USD' THEN s.cost_msat END, (terms[s.n]).price
        FROM unnest(sent) WITH ORDINALITY AS s, LATERAL (SELECT (s.attempt).*) AS a WHERE codes[s.ordinality] = 'ok';
    PERFORM history_add(ARRAY(
      SELECT ROW(a.id, a.wallet_id, 'SEND', CASE WHEN payment_is_sent(s.kind) THEN 'PENDING' ELSE 'SUCCESS' END,
        -s.cost_msat,
        CASE WHEN NOT payment_is_sent(s.kind) THEN 0
          WHEN s.payer_currency = 'USD' THEN s.cost_msat - (terms[s.n]).amount ELSE a.fee_limit_msat END,
        a.memo, s.invoice_external_id, CASE s.kind WHEN 'intraledger' THEN 'intraledger' ELSE 'ln' END,
        CASE s.kind WHEN 'ln' THEN 'ln' ELSE 'intraledger' END, a.payment_hash, a.payment_request, s.invoice_preimage,
        s.payee_wallet, CASE WHEN NOT payment_is_sent(s.kind) THEN s.payee_username END, NULL, p_cents_per_btc,
        false)::history_row
        FROM unnest(sent) WITH ORDINALITY AS s, LATERAL (SELECT (s.attempt).*) AS a WHERE codes[s.ordinality] = 'ok'
      UNION ALL
      -- The memo of a wallet-to-wallet payment is for both; that of an invoice's payer is the payer's own note.
      SELECT ROW(gen_random_uuid(), s.payee_wallet, 'RECEIVE', 'SUCCESS', (terms[s.n]).credit, 0,
        CASE s.kind WHEN 'intraledger' THEN a.memo ELSE s.invoice_memo END, s.invoice_external_id,
        CASE s.kind WHEN 'intraledger' THEN 'intraledger' ELSE 'ln' END, 'intraledger', a.payment_hash,
        a.payment_request, s.invoice_preimage, a.wallet_id, s.payer_username, NULL, p_cents_per_btc,
        s.invoice_by_owner)::history_row
        FROM unnest(sent) WITH ORDINALITY AS s, LATERAL (SELECT (s.attempt).*) AS a
          WHERE codes[s.ordinality] = 'ok' AND NOT payment_is_sent(s.kind)));
    PERFORM spending_add(spends,
      ARRAY(SELECT s.n FROM unnest(sent) WITH ORDINALITY AS s WHERE codes[s.ordinality] = 'ok'));
    paid := ARRAY(SELECT (s.attempt).payment_hash FROM unnest(sent) WITH ORDINALITY AS s
      WHERE codes[s.ordinality] = 'ok' AND s.kind = 'internal');
    IF paid <> '{}' THEN PERFORM invoice_mark_paid(paid, 'internal'); END IF;
  END IF;

  -- The ledger would refuse the same payment again: a repeat in the same batch gets the same result. Otherwise many
  -- calls for one payment that their wallet cannot afford would take one round each.
  RETURN QUERY
    SELECT CASE WHEN s.n IS NULL THEN coalesce(verdicts[c.n], 'again')
                WHEN s.n = c.n OR (codes[s.ordinality] NOT IN ('ok', 'duplicate')
                  AND (a.wallet_id, a.amount_msat, a.fee_limit_msat) = ((s.attempt).wallet_id, (s.attempt).amount_msat,
                    (s.attempt).fee_limit_msat))
                THEN payment_begin_result(codes[s.ordinality], s.kind)
                ELSE 'again' END,
           CASE WHEN c.known_state IS NULL THEN coalesce(c.live_id, a.id) ELSE a.id END,
             CASE
               WHEN verdicts[c.n] IS NOT NULL
                 AND verdicts[c.n] = (rests[c.n]).refusal THEN div((spends[c.n]).most,
                   spending_worth(0, 1, 0))::bigint END
      FROM unnest(candidates) AS c CROSS JOIN LATERAL (SELECT (c.attempt).*) AS a
      LEFT JOIN unnest(sent) WITH ORDINALITY AS s ON s.n = firsts[c.n]
     ORDER BY c.n;
END $$;

-- The call of 0.2.0, which knows no dollars, budgets or limits of accounts: it states no prices, and what needs one is
-- refused; budgets bind it too. It states no limits either: what it begins counts for the processes that have some.
CREATE OR REPLACE FUNCTION payment_begin(p_attempts payment_attempt[], p_node text, p_cents_per_btc bigint,
  p_skip_locked boolean)
RETURNS TABLE (result text, payment_id uuid) LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN b.result LIKE '%\_budget' OR b.result = 'attempt_reused' THEN 'refused'
    WHEN b.result NOT IN ('no_price', 'amount_too_small', 'dealer_limit') THEN b.result
    WHEN (SELECT w.currency FROM wallet w
      WHERE w.id = (p_attempts[b.n]).wallet_id) = 'BTC' THEN 'wrong_recipient_currency'
    ELSE 'wrong_currency' END,
    b.payment_id
    FROM payment_begin_v2(p_attempts, '{}', p_node, p_cents_per_btc, 0, NULL, NULL,
      p_skip_locked) WITH ORDINALITY AS b(result, payment_id, limit_cents, n)
      ORDER BY b.n
$$;
