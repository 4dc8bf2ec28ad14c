-- An adjustment by operators is no payment: it has neither a node nor a counterparty.
CREATE OR REPLACE FUNCTION account_day(p_id uuid, p_at timestamptz)
RETURNS TABLE (flow text, currency text, spent bigint, at timestamptz, counts boolean) LANGUAGE sql STABLE AS $$
  SELECT account_flow(t.settlement <> 'intraledger',
      t.counterparty_wallet_id = ANY (ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = p_id))),
    t.currency, -t.amount - t.fee, coalesce(t.clock_at, t.created_at),
    t.direction = 'SEND' AND t.status <> 'FAILURE' AND (t.status <> 'PENDING' OR t.approval_until IS NULL)
      AND (t.settlement <> 'intraledger' OR t.counterparty_wallet_id IS NOT NULL)
    FROM transaction t
   WHERE t.wallet_id = ANY (ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = p_id))
     AND t.created_at > p_at - interval '24 hours' AND coalesce(t.clock_at, t.created_at) > p_at - interval '24 hours'
     AND spending_is_past(coalesce(t.clock_at, t.created_at), p_at)
$$;

CREATE OR REPLACE FUNCTION account_spent(p_id uuid, p_at timestamptz)
RETURNS TABLE (flow text, msat numeric, cents numeric, rows_read bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT d.flow, d.currency, count(*) AS n, sum(d.spent) FILTER (WHERE d.counts) AS amount
      FROM account_day(p_id, p_at) AS d GROUP BY 1, 2
  )
  SELECT f.flow, coalesce((SELECT s.amount FROM found s WHERE s.flow = f.flow AND s.currency = 'BTC'), 0),
    coalesce((SELECT s.amount FROM found s WHERE s.flow = f.flow AND s.currency = 'USD'), 0),
    coalesce((SELECT sum(s.n) FROM found s), 0)::bigint
    FROM unnest(ARRAY['withdrawal', 'internal_send', 'convert']) AS f(flow)
$$;

CREATE OR REPLACE FUNCTION account_spending_list(p_id uuid[])
RETURNS TABLE (account_id uuid, flow text, msat numeric, cents numeric) LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT i.id, s.flow, s.msat, s.cents FROM unnest(p_id) AS i(id) CROSS JOIN LATERAL account_spent(i.id, now()) AS s
$$;

-- Counts what account_spent counts. next_at: a satoshi becomes free; null: never, the limit is less. all_at: nothing
-- counts any more. p_price is of now, so an account may have sent more than its limit: then the first payment that
-- stops counting frees nothing.
CREATE OR REPLACE FUNCTION account_freeing(p_id uuid, p_limits account_limit[], p_price bigint)
RETURNS TABLE (flow text, next_at timestamptz, all_at timestamptz)
LANGUAGE sql STABLE SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH sent AS (
    SELECT d.flow, d.at, CASE d.currency WHEN 'USD' THEN spending_worth(0, d.spent, p_price)
        ELSE spending_worth(d.spent, 0, p_price) END AS worth
      FROM account_day(p_id, now()) AS d WHERE d.counts
  ), freed AS (  -- still_counts: what counts when this payment, and those before it, do not
    SELECT s.flow, s.at,
      sum(s.worth) OVER (PARTITION BY s.flow) - sum(s.worth)
        OVER (PARTITION BY s.flow ORDER BY s.at) AS still_counts
      FROM sent s
  )
  SELECT f.flow,
    min(f.at)
      FILTER (WHERE f.still_counts + spending_worth(1000, 0, p_price) <= spending_worth(0, l.cents, p_price))
      + interval '24 hours',
    max(f.at) + interval '24 hours'
    FROM freed f JOIN unnest(p_limits) AS l ON l.flow = f.flow GROUP BY 1
$$;
