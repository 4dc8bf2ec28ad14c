-- What the payer was given: an invoice, a wallet, or a bitcoin address, which may be of a wallet of ours.
CREATE OR REPLACE FUNCTION payment_initiation(a payment_attempt) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN a.payment_hash IS NOT NULL THEN 'ln' WHEN a.payment_request IS NOT NULL THEN 'onchain'
    ELSE 'intraledger' END
$$;

CREATE OR REPLACE FUNCTION payment_begin_write(p_cases payment_case[], p_spends spend[], p_codes text[], p_node text,
  p_cents_per_btc bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  begun CONSTANT payment_case[] := ARRAY(SELECT c FROM unnest(p_cases) AS c WHERE p_codes[(c.payment).n] = 'ok');
  paid CONSTANT text[] := ARRAY(SELECT ((c.payment).attempt).payment_hash FROM unnest(begun) AS c
    WHERE (c.payment).kind = 'internal');
BEGIN
  INSERT INTO payment (id, account_id, wallet_id, kind, payment_hash, payment_request, amount_msat, fee_limit_msat,
    fee_msat, node_id, state, preimage, principal_id, client_id, finished_at, amount_cents, held_cents,
    dealer_cents_per_btc)
    -- Chosen cents that stay dollars have no price in the row, so budgets count this worth of them, rounded up.
    SELECT a.id, s.payer_account, a.wallet_id, s.kind, a.payment_hash, a.payment_request,
      CASE WHEN s.payer_currency = 'BTC' THEN t.amount
        WHEN t.price IS NULL AND (c.dealer_order).amount_cents IS NOT NULL
        THEN budget_cost_v2(a.amount_msat, t.amount, (c.dealer_order).ask) ELSE a.amount_msat END,
      CASE WHEN payment_is_sent(s.kind) THEN a.fee_limit_msat ELSE 0 END,
      CASE WHEN NOT payment_is_sent(s.kind) THEN 0 END, CASE s.kind WHEN 'ln' THEN p_node END,
      CASE WHEN payment_is_sent(s.kind) THEN 'in_flight' ELSE 'settled' END, s.invoice_preimage, a.principal_id,
      a.client_id, CASE WHEN NOT payment_is_sent(s.kind) THEN clock_timestamp() END,
      CASE s.payer_currency WHEN 'USD' THEN t.amount END, CASE s.payer_currency WHEN 'USD' THEN s.cost_msat END, t.price
      FROM unnest(begun) AS c, LATERAL (SELECT (c.payment).* OFFSET 0) AS s,
        LATERAL (SELECT (s.attempt).*) AS a, LATERAL (SELECT (c.terms).*) AS t;
  PERFORM history_add_v2(ARRAY(
    SELECT ROW(a.id, a.wallet_id, 'SEND', CASE WHEN payment_is_sent(s.kind) THEN 'PENDING' ELSE 'SUCCESS' END,
      -- Beside the amount of an invoice in dollars: what the price has moved by.
      -s.cost_msat, CASE WHEN NOT payment_is_sent(s.kind)
          THEN greatest(0, CASE s.payer_currency WHEN 'BTC' THEN s.cost_msat - s.invoice_amount_msat END)
        WHEN s.payer_currency = 'USD' THEN s.cost_msat - (c.terms).amount ELSE a.fee_limit_msat END,
      a.memo, s.invoice_external_id, payment_initiation(a),
      CASE s.kind WHEN 'ln' THEN 'ln' WHEN 'onchain' THEN 'onchain' ELSE 'intraledger' END, a.payment_hash,
      CASE WHEN a.payment_hash IS NOT NULL THEN a.payment_request END, s.invoice_preimage, s.payee_wallet,
      CASE WHEN NOT payment_is_sent(s.kind) THEN s.payee_username END, NULL, p_cents_per_btc, false,
      CASE WHEN a.payment_hash IS NULL THEN a.payment_request END, NULL, NULL)::history_row_v2
      FROM unnest(begun) AS c, LATERAL (SELECT (c.payment).* OFFSET 0) AS s, LATERAL (SELECT (s.attempt).*) AS a
    UNION ALL
    -- A payment's memo is for both wallets; the payer of an invoice or an address notes theirs for themselves.
    SELECT ROW(history_other_side(a.id), s.payee_wallet, 'RECEIVE', 'SUCCESS', (c.terms).credit, 0,
      CASE payment_initiation(a) WHEN 'intraledger' THEN a.memo ELSE s.invoice_memo END, s.invoice_external_id,
      payment_initiation(a), 'intraledger', a.payment_hash,
      CASE WHEN a.payment_hash IS NOT NULL THEN a.payment_request END, s.invoice_preimage, a.wallet_id,
      s.payer_username, NULL, p_cents_per_btc, s.invoice_by_owner,
      CASE WHEN a.payment_hash IS NULL THEN a.payment_request END, NULL, NULL)::history_row_v2
      FROM unnest(begun) AS c, LATERAL (SELECT (c.payment).* OFFSET 0) AS s, LATERAL (SELECT (s.attempt).*) AS a
     WHERE NOT payment_is_sent(s.kind)));
  PERFORM spending_add(p_spends, ARRAY(SELECT (c.payment).n FROM unnest(begun) AS c));
  IF paid <> '{}' THEN PERFORM invoice_mark_paid(paid, 'internal'); END IF;
END $$;

-- Whether these would wait for another transaction, one answer each, without waiting. Its locks end with the
-- transaction.
CREATE OR REPLACE FUNCTION payment_begin_locked(p_attempts payment_attempt[]) RETURNS boolean[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  hashes CONSTANT text[] := ARRAY(SELECT DISTINCT a.payment_hash FROM unnest(p_attempts) AS a
    WHERE a.payment_hash IS NOT NULL ORDER BY 1);
  users CONSTANT uuid[] := ARRAY(SELECT DISTINCT a.user_id FROM unnest(p_attempts) AS a);
  wallets CONSTANT uuid[] := ARRAY(SELECT unnest(ARRAY[a.wallet_id, a.recipient_wallet_id]) FROM unnest(p_attempts) AS a
    UNION SELECT i.wallet_id FROM invoice i WHERE i.payment_hash = ANY (hashes));
  -- Every exchange moves these two.
  dealer CONSTANT bigint[] := CASE WHEN EXISTS (SELECT FROM wallet w WHERE w.id = ANY (wallets) AND w.currency = 'USD')
    THEN ARRAY[ledger_system_account('dealerBtc'), ledger_system_account('dealerUsd')] ELSE '{}' END;
  hashes_free text[]; bills_free text[]; users_free uuid[]; wallets_free uuid[]; ledgers_free bigint[];
  is_dealer_free boolean := true;
BEGIN
  hashes_free := ARRAY(SELECT h FROM unnest(hashes) AS h WHERE pg_try_advisory_xact_lock(payment_lock_key(h)));
  bills_free := ARRAY(SELECT i.payment_hash FROM invoice i WHERE i.payment_hash = ANY (hashes) ORDER BY i.payment_hash
    FOR NO KEY UPDATE SKIP LOCKED);
  users_free := ARRAY(SELECT a.user_id FROM account a WHERE a.user_id = ANY (users) ORDER BY a.id
    FOR NO KEY UPDATE SKIP LOCKED);
  wallets_free := ARRAY(SELECT w.id FROM wallet w WHERE w.id = ANY (wallets) ORDER BY w.id FOR KEY SHARE SKIP LOCKED);
  ledgers_free := ledger_lock_free(dealer
    || ARRAY(SELECT w.ledger_account_id FROM wallet w WHERE w.id = ANY (wallets)));
  IF dealer <> '{}' THEN
    is_dealer_free := dealer <@ ledgers_free AND pg_try_advisory_xact_lock(lock_key('dealer'));
  END IF;
  RETURN ARRAY(
    SELECT lock_is_held(a.payment_hash, hashes_free) OR lock_is_held(i.payment_hash, bills_free)
        OR lock_is_held(c.user_id, users_free) OR lock_is_held(payer.id, wallets_free)
        OR lock_is_held(payee.id, wallets_free) OR lock_is_held(payer.ledger_account_id, ledgers_free)
        OR lock_is_held(payee.ledger_account_id, ledgers_free)
        OR NOT is_dealer_free AND coalesce(payer.currency <> coalesce(payee.currency, 'BTC'), false)
      FROM unnest(p_attempts) WITH ORDINALITY AS a
      LEFT JOIN account c ON c.user_id = a.user_id AND c.user_id = ANY (users)
      LEFT JOIN invoice i ON i.payment_hash = a.payment_hash AND i.payment_hash = ANY (hashes)
      LEFT JOIN wallet payer ON payer.id = a.wallet_id AND payer.id = ANY (wallets)
      LEFT JOIN wallet payee ON payee.id = coalesce(i.wallet_id, a.recipient_wallet_id) AND payee.id = ANY (wallets)
     ORDER BY a.ordinality);
END $$;
