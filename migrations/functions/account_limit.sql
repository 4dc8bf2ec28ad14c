-- Limits of accounts: what an account of a level may send in any 24 hours, in US cents without fees, by flow:
--   withdrawal     paid by the node
--   internal_send  to a wallet of another account
--   convert        between the two wallets of the account
-- What counts is read from the history; spending.sql has the bounds of it.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE OR REPLACE FUNCTION account_flow(p_is_sent boolean, p_is_own boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_is_sent THEN 'withdrawal' WHEN p_is_own THEN 'convert' ELSE 'internal_send' END
$$;

-- Locks the accounts of these users by their ids, and returns those that are locked now: no other transaction begins
-- their payments, or reads what they have spent. Payments end without this lock: that can only leave more.
CREATE OR REPLACE FUNCTION account_lock(p_user uuid[]) RETURNS uuid[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN ARRAY(SELECT a.id FROM account a WHERE a.user_id = ANY (p_user) ORDER BY a.id FOR NO KEY UPDATE);
END $$;

-- What an account has sent in the 24 hours before p_at, by flow, and how many rows of its history that read. An
-- adjustment by operators is no payment: it has neither a node nor a counterparty.
CREATE OR REPLACE FUNCTION account_spent(p_id uuid, p_at timestamptz)
RETURNS TABLE (flow text, msat numeric, cents numeric, rows_read bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT account_flow(t.settlement = 'ln',
      t.counterparty_wallet_id = ANY (ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = p_id))) AS flow,
      t.currency, count(*) AS n,
      sum(-t.amount - t.fee) FILTER (WHERE t.direction = 'SEND' AND t.status <> 'FAILURE'
        AND (t.settlement = 'ln' OR t.counterparty_wallet_id IS NOT NULL)) AS amount
      FROM transaction t
        WHERE t.wallet_id = ANY (ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = p_id))
          AND t.created_at > p_at - interval '24 hours'
        GROUP BY 1, 2
  )
  SELECT f.flow, coalesce((SELECT s.amount FROM found s WHERE s.flow = f.flow AND s.currency = 'BTC'), 0),
    coalesce((SELECT s.amount FROM found s WHERE s.flow = f.flow AND s.currency = 'USD'), 0),
    coalesce((SELECT sum(s.n) FROM found s), 0)::bigint
    FROM unnest(ARRAY['withdrawal', 'internal_send', 'convert']) AS f(flow)
$$;

-- What each of these accounts has spent in 24 hours, by flow.
CREATE OR REPLACE FUNCTION account_spending_list(p_id uuid[])
RETURNS TABLE (account_id uuid, flow text, msat numeric, cents numeric) LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT i.id, s.flow, s.msat, s.cents FROM unnest(p_id) AS i(id) CROSS JOIN LATERAL account_spent(i.id, now()) AS s
$$;

-- Sets the level of an account, with the operators' log: 'changed' | 'already' | 'unknown' (there is no such account).
-- Payments that have begun stay.
CREATE OR REPLACE FUNCTION account_set_level(p_id uuid, p_level text, p_who text, p_because text) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE old_level text;
BEGIN
  SELECT a.level INTO old_level FROM account a WHERE a.id = p_id FOR NO KEY UPDATE;
  IF old_level IS NULL THEN RETURN 'unknown'; END IF;
  IF old_level = p_level THEN RETURN 'already'; END IF;
  UPDATE account SET level = p_level WHERE id = p_id;
  PERFORM operator_action_add(p_who, 'account level', p_id::text, p_because,
    jsonb_build_object('from', old_level, 'to', p_level));
  RETURN 'changed';
END $$;
