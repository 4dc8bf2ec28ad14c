-- Books a settlement of an unknown invoice to an operator's wallet, once, and names the payment that returns it from
-- there. A repeat gets the same payment until that has failed, so at most one is in flight or settled. Lock order:
-- settlement_review, then the ledger's. Outcome:
--   ready: `attempt` is the name of the payment to be made next, from `wallet` of `payer`
--   unknown: no unclaimed settlement has this hash | booked: to its recipient | no_operator: of the account
--   too_much: the invoice asks more than was received | other_wallet: it was booked to another operator's
--   pending: the payment is in flight | returned: it has settled | refused: by the ledger
CREATE OR REPLACE FUNCTION settlement_return(p_hash text, p_account uuid, p_msat bigint, p_attempt text,
  p_payment_id uuid, p_invoice_hash text, p_who text, p_because text, OUT outcome text, OUT attempt text,
  OUT wallet_id uuid, OUT user_id uuid) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  review settlement_review;
  payer wallet;
  v_msat bigint;
  earlier text;
BEGIN
  SELECT * INTO review FROM settlement_review r WHERE r.payment_hash = p_hash AND r.outcome = 'unclaimed'
    ORDER BY r.booked_at IS NOT NULL, r.node_id LIMIT 1 FOR NO KEY UPDATE;
  IF NOT FOUND THEN outcome := 'unknown'; RETURN; END IF;
  v_msat := review.amount_msat;
  SELECT w.* INTO payer FROM wallet w WHERE w.account_id = p_account AND w.currency = 'BTC';
  SELECT u.id INTO user_id FROM account a JOIN app_user u ON u.id = a.user_id AND u.is_operator WHERE a.id = p_account;
  earlier := (SELECT p.state FROM payment p WHERE p.id = review.return_payment_id);
  outcome := CASE
    WHEN review.booked_at IS NOT NULL AND review.return_wallet_id IS NULL THEN 'booked'
    WHEN user_id IS NULL OR payer.id IS NULL THEN 'no_operator'
    WHEN earlier = 'settled' THEN 'returned'
    WHEN earlier = 'in_flight' THEN 'pending'
    WHEN review.return_wallet_id <> payer.id THEN 'other_wallet'
    WHEN p_msat > v_msat THEN 'too_much' END;
  IF outcome IS NOT NULL THEN RETURN; END IF;

  IF review.booked_at IS NULL AND NOT settlement_book(review, payer) THEN outcome := 'refused'; RETURN; END IF;
  -- The call of another process may still begin this payment: its name is kept.
  UPDATE settlement_review r SET booked_at = coalesce(r.booked_at, clock_timestamp()), return_wallet_id = payer.id,
         return_attempt = CASE WHEN earlier = 'failed' OR r.return_attempt IS NULL THEN p_attempt
           ELSE r.return_attempt END,
         return_payment_id = CASE WHEN earlier = 'failed' OR r.return_attempt IS NULL THEN p_payment_id
           ELSE r.return_payment_id END
   WHERE r.node_id = review.node_id AND r.payment_hash = p_hash RETURNING * INTO review;
  outcome := 'ready'; attempt := review.return_attempt; wallet_id := payer.id;
  PERFORM operator_action_add(p_who, 'settlement return', p_hash, p_because,
    jsonb_build_object('account', p_account, 'wallet', payer.id, 'msat', v_msat::text, 'node', review.node_id,
      'payment', review.return_payment_id, 'invoiceHash', p_invoice_hash, 'invoiceMsat', p_msat::text));
END $$;
