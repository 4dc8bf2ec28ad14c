-- What people learn about payments by their apps and keys. A durable consumer calls these after the payments.

-- The accounts that may have something to learn.
CREATE OR REPLACE FUNCTION payment_watched_accounts(p_accounts uuid[]) RETURNS SETOF uuid LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT a.id FROM account a
   WHERE a.id = ANY (p_accounts)
     AND (EXISTS (SELECT FROM payment p WHERE p.account_id = a.id AND p.client_id IS NOT NULL)
       OR EXISTS (SELECT FROM api_key k JOIN budget b ON b.id = k.id::text WHERE k.user_id = a.user_id))
$$;

-- The percentage of the next notice about a budget: one of each percentage in a window, and 100 also stands for 80.
CREATE OR REPLACE FUNCTION payment_budget_step(p_user uuid, p_budget text, p_part text) RETURNS integer LANGUAGE sql
STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE max((n.details ->> 'percent')::integer) WHEN 100 THEN NULL WHEN 80 THEN 100 ELSE 80 END FROM notice n
   WHERE n.user_id = p_user AND n.at > clock_timestamp() - budget_window(p_part) AND n.kind = 'budget_used'
     AND n.details @> jsonb_build_object('budget', p_budget, 'part', p_part)
$$;

-- Of payments that have settled. What a bound says is spent is at least what was, so the payments of a window are read
-- only where a notice may be due.
CREATE OR REPLACE FUNCTION payment_notices(p_ids uuid[]) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT notice_add(a.user_id, 'app_paid', jsonb_build_object('name', c.name, 'clientId', c.id), 'app_paid:' || c.id)
    FROM payment p JOIN account a ON a.id = p.account_id JOIN oauth_client c ON c.id = p.client_id
   WHERE p.id = ANY (p_ids)
     AND NOT EXISTS (SELECT FROM payment e WHERE e.account_id = p.account_id AND e.client_id = p.client_id
       AND e.state = 'settled' AND e.created_at < p.created_at);
  WITH near AS MATERIALIZED (
    SELECT n.* FROM (
      SELECT DISTINCT a.user_id, b.id, p.principal_id = b.id AS is_key, w.part, w.most, s.msat,
        payment_budget_step(a.user_id, b.id, w.part) AS step
        FROM payment p JOIN account a ON a.id = p.account_id
        JOIN budget b ON b.id IN (p.principal_id, p.client_id || ':' || a.user_id)
        CROSS JOIN LATERAL unnest(ARRAY['daily', 'weekly', 'monthly', 'annual'],
          ARRAY[b.daily_msat, b.weekly_msat, b.monthly_msat, b.annual_msat]) AS w(part, most)
        JOIN spending_bound s ON s.owner = b.id AND s.part = w.part AND s.msat >= w.most * 0.8
       WHERE p.id = ANY (p_ids)) AS n
     WHERE n.msat * 100 >= n.most * n.step
  )
  SELECT notice_add(n.user_id, 'budget_used', jsonb_build_object('budget', n.id, 'part', n.part,
      'percent', p.percent, 'id', coalesce(budget_client(n.id), n.id),
      'of', CASE WHEN n.is_key THEN 'key' ELSE 'app' END, 'name',
      coalesce((SELECT k.name FROM api_key k WHERE k.id = CASE WHEN n.is_key THEN n.id::uuid END),
        (SELECT c.name FROM oauth_client c WHERE c.id = budget_client(n.id))))),
    event_add(ARRAY['budget.used'], ARRAY[n.id], ARRAY[jsonb_build_object('percent', p.percent, 'window', n.part,
      'limitSats', n.most / 1000, 'spentSats', u.msat / 1000, 'freeAtMs', extract(epoch FROM u.free_at) * 1000)])
    FROM near n CROSS JOIN LATERAL budget_used(n.id, n.part, n.most, clock_timestamp()) AS u
   CROSS JOIN LATERAL (SELECT CASE WHEN u.msat >= n.most THEN 100 ELSE 80 END AS percent) AS p
   WHERE u.msat * 100 >= n.most * n.step
$$;
