-- The wallets of a person who leaves, who is disabled with them. What the ledger and the history have of them stays.
-- One call: payments of all accounts wait for it, so what may be much (keys, deliveries, notices) is left to a job.

-- 'deleted' | 'unknown' | 'frozen' | 'in_flight' | 'not_empty' | 'invoice_open': one that its node may still be paid.
-- A deposit on its way is no reason: anyone can pay to an address again and again.
CREATE OR REPLACE FUNCTION account_delete_verdict(p_user uuid, OUT verdict text, OUT account_id uuid) LANGUAGE plpgsql
STABLE SET search_path FROM CURRENT AS $$
DECLARE
  wallets uuid[];
BEGIN
  account_id := (SELECT a.id FROM account a WHERE a.user_id = p_user);
  wallets := ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = account_delete_verdict.account_id);
  verdict := CASE WHEN account_id IS NULL THEN 'unknown'
    WHEN EXISTS (SELECT FROM payment_freeze f WHERE f.subject = account_id::text) THEN 'frozen'
    WHEN EXISTS (SELECT FROM payment p WHERE p.account_id = account_delete_verdict.account_id AND p.state = 'in_flight')
      THEN 'in_flight'
    WHEN EXISTS (SELECT FROM wallet w JOIN ledger_account l ON l.id = w.ledger_account_id
      WHERE w.account_id = account_delete_verdict.account_id
        AND (l.held <> 0 OR l.posted >= CASE w.currency WHEN 'BTC' THEN 1000 ELSE 1 END)) THEN 'not_empty'
    WHEN EXISTS (SELECT FROM invoice_payable(wallets, 1)) THEN 'invoice_open'
    ELSE 'deleted' END;
END $$;

-- Nothing can pay it or be paid by it meanwhile: payments wait as for a freeze, settlements and deposits for their
-- cursors, what operators book for the wallet. What arrives later finds no wallet: a payment of this server is refused,
-- and one from outside waits for an operator (`settlement list`). Less than a satoshi, which cannot be sent, stays.
-- Judged before the locks too: the payments of other people do not wait for what is refused. Also 'operator'.
CREATE OR REPLACE FUNCTION account_delete(p_user uuid, OUT verdict text, OUT account_id uuid) LANGUAGE plpgsql
SET search_path FROM CURRENT SET lock_timeout = '3s' AS $$
DECLARE
  of_account uuid; wallets uuid[];
BEGIN
  SELECT v.* INTO verdict, of_account FROM account_delete_verdict(p_user) AS v;
  account_id := of_account;
  IF verdict <> 'deleted' THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(lock_key('paymentFreeze'));
  PERFORM FROM settlement_cursor c ORDER BY c.node_id FOR NO KEY UPDATE;
  PERFORM FROM onchain_cursor FOR NO KEY UPDATE;
  PERFORM FROM account a WHERE a.id = of_account FOR UPDATE;
  PERFORM FROM wallet w WHERE w.account_id = of_account ORDER BY w.id FOR UPDATE;
  verdict := (SELECT v.verdict FROM account_delete_verdict(p_user) AS v);
  IF verdict = 'deleted' AND NOT user_leave(p_user) THEN verdict := 'operator'; END IF;
  IF verdict <> 'deleted' THEN RETURN; END IF;
  PERFORM payment_approval_end(ARRAY(SELECT o.id FROM payment_approval o WHERE o.account_id = of_account), s, 'denied')
    FROM unnest(ARRAY['waiting', 'approved']) AS s;
  wallets := ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = of_account);
  DELETE FROM wallet w WHERE w.id = ANY (wallets);
  PERFORM job_add('house', '', 'account_forget',
    jsonb_build_object('accountId', of_account, 'userId', p_user, 'walletIds', wallets), of_account::text, NULL, 25);
END $$;

-- After account_delete.
CREATE OR REPLACE FUNCTION account_forget(p_user uuid, p_account uuid) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM budget_forget(b.id) FROM (SELECT p_account::text AS id
    UNION SELECT k.id::text FROM api_key k WHERE k.user_id = p_user
    UNION SELECT g.client_id || ':' || p_user FROM oauth_grant g WHERE g.user_id = p_user) AS b;
  DELETE FROM account a WHERE a.id = p_account;
END $$;
