-- One operator proposes a journal between a customer's account and `adjustment`, another one approves it. Every
-- function checks that the operator still has the password hash that was compared. Lock order: the adjustment, then the
-- ledger's.

-- 'proposed' | 'no_operator' | 'no_wallet': there is no such account | 'too_many': p_max are open.
CREATE OR REPLACE FUNCTION adjustment_propose(p_id uuid, p_account uuid, p_msat bigint, p_memo text, p_because text,
  p_hours integer, p_max integer, p_operator uuid, p_password_hash text, p_run_by text) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  operator CONSTANT text := user_operator_name(p_operator, p_password_hash);
  v_wallet uuid;
BEGIN
  IF operator IS NULL THEN RETURN 'no_operator'; END IF;
  SELECT w.id INTO v_wallet FROM wallet w WHERE w.account_id = p_account AND w.currency = 'BTC';
  IF NOT FOUND THEN RETURN 'no_wallet'; END IF;
  -- Concurrent calls would exceed the bound.
  LOCK TABLE adjustment IN SHARE ROW EXCLUSIVE MODE;
  IF (SELECT count(*) FROM adjustment a WHERE a.state = 'open' AND a.expires_at > clock_timestamp()) >= p_max THEN
    RETURN 'too_many';
  END IF;
  INSERT INTO adjustment (id, wallet_id, amount_msat, memo, because, proposed_by, expires_at)
    VALUES (p_id, v_wallet, p_msat, p_memo, p_because, p_operator, now() + make_interval(hours => p_hours));
  PERFORM operator_action_add(operator, 'adjust propose', p_id::text, p_because,
    jsonb_build_object('account', p_account, 'wallet', v_wallet, 'msat', p_msat::text, 'memo', p_memo, 'runBy',
      p_run_by));
  RETURN 'proposed';
END $$;

-- Approves, which books it, or refuses, which the proposer may do too. What the ledger refuses stays open.
-- 'approved' | 'refused' | 'no_operator' | 'not_found' | 'approved_before' | 'refused_before' | 'expired' |
-- 'same_operator': it is the approver's proposal | 'own_account': the approver's | 'proposer_dismissed': they are no
-- operator any more | 'insufficient' | 'out_of_range' | 'rejected': by the ledger.
CREATE OR REPLACE FUNCTION adjustment_decide(p_id uuid, p_approves boolean, p_because text, p_cents_per_btc bigint,
  p_operator uuid, p_password_hash text, p_run_by text) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  operator CONSTANT text := user_operator_name(p_operator, p_password_hash);
  found adjustment; customer wallet; refusal text; code text;
  details jsonb := jsonb_build_object('runBy', p_run_by);
BEGIN
  IF operator IS NULL THEN RETURN 'no_operator'; END IF;
  SELECT * INTO found FROM adjustment a WHERE a.id = p_id FOR NO KEY UPDATE;
  SELECT * INTO customer FROM wallet w WHERE w.id = found.wallet_id FOR KEY SHARE;
  refusal := CASE
    WHEN found.id IS NULL THEN 'not_found'
    WHEN found.state <> 'open' THEN found.state || '_before'
    WHEN found.expires_at <= clock_timestamp() THEN 'expired'
    WHEN NOT p_approves THEN NULL
    WHEN found.proposed_by = p_operator THEN 'same_operator'
    WHEN EXISTS (SELECT FROM account a WHERE a.id = customer.account_id AND a.user_id = p_operator) THEN 'own_account'
    WHEN NOT EXISTS (SELECT FROM app_user u
      WHERE u.id = found.proposed_by AND u.is_operator) THEN 'proposer_dismissed' END;
  IF refusal IS NOT NULL THEN RETURN refusal; END IF;
  IF p_approves THEN
    code := (ledger_apply(ARRAY[ROW('post', md5(concat_ws('|', 'adjustment', found.id))::uuid,
      ledger_journal_kind('adjustment'), NULL, ARRAY[ROW(customer.ledger_account_id, found.amount_msat),
        ROW(ledger_system_account('adjustment'), -found.amount_msat)]::ledger_leg[])::ledger_operation]))[1];
    IF code IN ('insufficient', 'out_of_range') THEN RETURN code; END IF;
    IF code <> 'ok' THEN RETURN 'rejected'; END IF;
    PERFORM history_add_v2(ARRAY[ROW(found.id, customer.id,
      CASE WHEN found.amount_msat > 0 THEN 'RECEIVE' ELSE 'SEND' END, 'SUCCESS', found.amount_msat, 0, found.memo, NULL,
      'intraledger', 'intraledger', NULL, NULL, NULL, NULL, NULL, NULL, p_cents_per_btc, NULL, NULL, NULL,
      NULL)::history_row_v2]);
    details := details || jsonb_build_object('account', customer.account_id, 'wallet', customer.id,
      'msat', found.amount_msat::text);
  END IF;
  UPDATE adjustment a SET state = CASE WHEN p_approves THEN 'approved' ELSE 'refused' END, decided_by = p_operator,
         decided_at = clock_timestamp() WHERE a.id = p_id RETURNING * INTO found;
  PERFORM operator_action_add(operator, CASE WHEN p_approves THEN 'adjust approve' ELSE 'adjust refuse' END,
    p_id::text, p_because, details);
  RETURN found.state;
END $$;
