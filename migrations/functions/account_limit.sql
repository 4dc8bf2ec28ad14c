-- Limits of accounts: what an account of a level may send in any 24 hours, in US cents without fees, by flow:
--   withdrawal     paid by the node
--   internal_send  to a wallet of another account
--   convert        between the two wallets of the account
-- What counts is read from the history. account_spending has an upper bound of it, so that a payment does not read the history of a day: only
-- where the bound exceeds the limit is it read, and the bound set to it. A failed payment and one that is a day old leave the bound as it is.
--
-- Amounts of both wallets are compared as the worth of their sum, which is exact: msat by cents for one bitcoin, 100,000,000,000 of it a cent.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE OR REPLACE FUNCTION account_flow(p_is_sent boolean, p_is_own boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_is_sent THEN 'withdrawal' WHEN p_is_own THEN 'convert' ELSE 'internal_send' END
$$;

CREATE OR REPLACE FUNCTION account_worth(p_msat numeric, p_cents numeric, p_price bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT p_msat * p_price + p_cents * 100000000000
$$;

-- Locks the accounts of these users by their ids, and returns those that are locked now: no other transaction begins their payments, or reads
-- what they have spent. Payments end without this lock: that can only leave more. p_skip_locked: does not wait.
CREATE OR REPLACE FUNCTION account_lock(p_user uuid[], p_skip_locked boolean) RETURNS uuid[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  IF p_skip_locked THEN RETURN ARRAY(SELECT a.id FROM account a WHERE a.user_id = ANY (p_user) ORDER BY a.id FOR NO KEY UPDATE SKIP LOCKED); END IF;
  RETURN ARRAY(SELECT a.id FROM account a WHERE a.user_id = ANY (p_user) ORDER BY a.id FOR NO KEY UPDATE);
END $$;

-- What an account has sent in the 24 hours before p_at, by flow, and how many rows of its history that read. An adjustment by operators is no
-- payment: it has neither a node nor a counterparty.
CREATE OR REPLACE FUNCTION account_spent(p_id uuid, p_at timestamptz) RETURNS TABLE (flow text, msat numeric, cents numeric, rows_read bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT account_flow(t.settlement = 'ln', t.counterparty_wallet_id = ANY (ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = p_id))) AS flow, t.currency, count(*) AS n,
           sum(-t.amount - t.fee) FILTER (WHERE t.direction = 'SEND' AND t.status <> 'FAILURE' AND (t.settlement = 'ln' OR t.counterparty_wallet_id IS NOT NULL)) AS amount
      FROM transaction t WHERE t.account_id = p_id AND t.created_at > p_at - interval '24 hours' GROUP BY 1, 2
  )
  SELECT f.flow, coalesce((SELECT s.amount FROM found s WHERE s.flow = f.flow AND s.currency = 'BTC'), 0), coalesce((SELECT s.amount FROM found s WHERE s.flow = f.flow AND s.currency = 'USD'), 0),
         coalesce((SELECT sum(s.n) FROM found s), 0)::bigint
    FROM unnest(ARRAY['withdrawal', 'internal_send', 'convert']) AS f(flow)
$$;

-- Sets the bounds of these accounts, which are locked, to what they have spent. An account with a long history is not read again at once: it
-- would make each of its attempts expensive for the others of their batches. Until then, what it has got back since is not counted as free.
CREATE OR REPLACE FUNCTION account_spending_read(p_id uuid[], p_at timestamptz) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO account_spending AS s (account_id, flow, msat, cents, read_after)
    SELECT i.id, r.flow, r.msat, r.cents, p_at + CASE WHEN r.rows_read > 1000 THEN r.rows_read * interval '100 microseconds' ELSE interval '0' END
      FROM unnest(p_id) AS i(id) CROSS JOIN LATERAL account_spent(i.id, p_at) AS r
    ON CONFLICT (account_id, flow) DO UPDATE SET msat = excluded.msat, cents = excluded.cents, read_after = excluded.read_after
$$;

-- Each of the spends beside its limit: its worth, what is left to it, and why it is refused; null: it has no limit. The accounts are locked, and the settings of the planner
-- are those of payment_begin. An amount above the whole limit reads nothing.
CREATE OR REPLACE FUNCTION account_rests(p_spends account_spend[], p_limits account_limit[], p_price bigint, p_at timestamptz) RETURNS account_rest[] LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT DISTINCT s.account_id FROM unnest(p_spends) AS s);
  due uuid[]; rests account_rest[];
BEGIN
  FOR pass IN 1..2 LOOP
    WITH holder AS MATERIALIZED (SELECT a.id, a.level FROM account a WHERE a.id = ANY (ids)
      ), known AS MATERIALIZED (SELECT k.* FROM account_spending k WHERE k.account_id = ANY (ids))
    SELECT array_agg(ROW(x.limit_cents, x.rest, x.cost, CASE WHEN x.cost > x.rest THEN x.flow || '_limit' END)::account_rest ORDER BY x.n),
           array_agg(DISTINCT x.account_id) FILTER (WHERE x.cost <= x.most AND (x.spent IS NULL OR x.cost > x.rest AND x.read_after <= p_at)) INTO rests, due
      FROM (SELECT j.*, least(j.most, j.most - j.spent) AS rest FROM (
            SELECT s.n, s.account_id, s.flow, l.cents AS limit_cents, account_worth(0, l.cents, p_price) AS most, account_worth(k.msat, k.cents, p_price) AS spent,
                   account_worth(s.msat, s.cents, p_price) AS cost, k.read_after
              FROM unnest(p_spends) WITH ORDINALITY AS s(account_id, flow, msat, cents, n) LEFT JOIN holder h ON h.id = s.account_id
              LEFT JOIN unnest(p_limits) AS l ON l.level = h.level AND l.flow = s.flow
              LEFT JOIN known k ON k.account_id = s.account_id AND k.flow = s.flow OFFSET 0) AS j OFFSET 0) AS x;
    EXIT WHEN due IS NULL OR pass = 2;
    PERFORM account_spending_read(due, p_at);
  END LOOP;
  RETURN rests;
END $$;

-- Those of the spends p_n that exceed a limit together with the spends before them. The first of each account and flow never does.
CREATE OR REPLACE FUNCTION account_beyond(p_spends account_spend[], p_rests account_rest[], p_n int[]) RETURNS int[] LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  -- Nearly always the whole batch is within what the poorest of its accounts has left.
  IF (SELECT sum(r.cost) <= min(r.rest) FROM unnest(p_rests) AS r) THEN RETURN '{}'; END IF;
  RETURN ARRAY(SELECT x.n FROM (SELECT s.n, s.rest, sum(s.cost) OVER (PARTITION BY s.account_id, s.flow ORDER BY s.n) AS total
                                  FROM unnest(p_spends, p_rests) WITH ORDINALITY AS s(account_id, flow, msat, cents, limit_cents, rest, cost, refusal, n) WHERE s.n = ANY (p_n)) AS x WHERE x.total > x.rest);
END $$;

-- Adds to the bounds what has begun. An account without a bound has no limit, or has not met it yet.
CREATE OR REPLACE FUNCTION account_spending_add(p_spends account_spend[]) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE account_spending b SET msat = b.msat + n.msat, cents = b.cents + n.cents
    FROM (SELECT s.account_id, s.flow, sum(s.msat) AS msat, sum(s.cents) AS cents FROM unnest(p_spends) AS s GROUP BY 1, 2) AS n
   WHERE b.account_id = ANY (ARRAY(SELECT s.account_id FROM unnest(p_spends) AS s)) AND n.account_id = b.account_id AND n.flow = b.flow;
END $$;

-- What each of these accounts has spent in 24 hours, by flow.
CREATE OR REPLACE FUNCTION account_spending_list(p_id uuid[]) RETURNS TABLE (account_id uuid, flow text, msat numeric, cents numeric) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT i.id, s.flow, s.msat, s.cents FROM unnest(p_id) AS i(id) CROSS JOIN LATERAL account_spent(i.id, now()) AS s
$$;

-- Sets the level of an account, with the operators' log: 'changed' | 'already' | 'unknown' (there is no such account). Payments that have begun stay.
CREATE OR REPLACE FUNCTION account_set_level(p_id uuid, p_level text, p_who text, p_because text) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE old_level text;
BEGIN
  SELECT a.level INTO old_level FROM account a WHERE a.id = p_id FOR NO KEY UPDATE;
  IF old_level IS NULL THEN RETURN 'unknown'; END IF;
  IF old_level = p_level THEN RETURN 'already'; END IF;
  UPDATE account SET level = p_level WHERE id = p_id;
  PERFORM operator_action_add(p_who, 'account level', p_id::text, p_because, jsonb_build_object('from', old_level, 'to', p_level));
  RETURN 'changed';
END $$;
