-- Books a settlement of an unknown invoice to a wallet. False: the ledger refuses.
CREATE OR REPLACE FUNCTION settlement_book(r settlement_review, p_payee wallet) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  legs CONSTANT ledger_leg[] := ARRAY[ROW(ledger_system_account('unclaimed'), -r.amount_msat),
    ROW(p_payee.ledger_account_id, r.amount_msat)];
BEGIN
  IF (ledger_apply(ARRAY[ROW('post', md5(concat_ws('|', 'claim', r.node_id, r.payment_hash))::uuid,
    ledger_journal_kind('settlement_claim'), NULL, legs)::ledger_operation]))[1] <> 'ok' THEN RETURN false; END IF;
  PERFORM history_add_v2(ARRAY[ROW(gen_random_uuid(), p_payee.id, 'RECEIVE', 'SUCCESS', r.amount_msat, 0, NULL, NULL,
    'ln', 'ln', r.payment_hash, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::history_row_v2]);
  RETURN true;
END $$;

-- An operator has found the recipient of an unknown invoice. 'booked' | 'unknown': no such settlement waits |
-- 'no_wallet' | 'refused': by the ledger. Lock order: settlement_review, then the ledger's.
CREATE OR REPLACE FUNCTION settlement_claim(p_hash text, p_account uuid, p_who text, p_because text) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  review settlement_review;
  payee wallet;
BEGIN
  SELECT * INTO review FROM settlement_review r
    WHERE r.payment_hash = p_hash AND r.outcome = 'unclaimed' AND r.booked_at IS NULL ORDER BY r.node_id LIMIT 1
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  SELECT * INTO payee FROM wallet w WHERE w.account_id = p_account AND w.currency = 'BTC' FOR KEY SHARE;
  IF NOT FOUND THEN RETURN 'no_wallet'; END IF;
  IF NOT settlement_book(review, payee) THEN RETURN 'refused'; END IF;
  UPDATE settlement_review r SET booked_at = clock_timestamp()
    WHERE r.node_id = review.node_id AND r.payment_hash = p_hash;
  PERFORM operator_action_add(p_who, 'settlement book', p_hash, p_because,
    jsonb_build_object('account', p_account, 'wallet', payee.id, 'msat', review.amount_msat::text,
      'node', review.node_id));
  RETURN 'booked';
END $$;
