-- Budgets of principals: what a key may spend in rolling windows of 24 hours, 7, 30 and 365 days. What has been spent is read from the
-- payments themselves, so a payment that fails, or that costs less than was held, gives back what it took without another write.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- What a payment that begins takes of a budget: whole satoshis with the fee limit, as its hold, also from a wallet in dollars.
CREATE OR REPLACE FUNCTION budget_cost(p_amount bigint, p_fee_limit bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT msat_rounded_up(p_amount + p_fee_limit)
$$;

-- The same of a payment that payment_begin judges; only what is sent costs a fee.
CREATE OR REPLACE FUNCTION budget_cost_of(c payment_candidate, p_is_sent boolean) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT budget_cost((c.attempt).amount_msat, CASE WHEN p_is_sent THEN (c.attempt).fee_limit_msat ELSE 0 END)
$$;

-- Spent in the last 24 hours, 7, 30 and 365 days, by the payments since p_since: in flight, their cost as above; settled, with the fee
-- instead of its limit, above which it is the operator's loss.
CREATE OR REPLACE FUNCTION budget_spent(p_id text, p_at timestamptz, p_since timestamptz) RETURNS numeric[] LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT ARRAY[coalesce(sum(p.msat) FILTER (WHERE p.created_at > p_at - interval '24 hours'), 0), coalesce(sum(p.msat) FILTER (WHERE p.created_at > p_at - interval '168 hours'), 0),
               coalesce(sum(p.msat) FILTER (WHERE p.created_at > p_at - interval '720 hours'), 0), coalesce(sum(p.msat) FILTER (WHERE p.created_at > p_at - interval '8760 hours'), 0)]
    FROM (SELECT created_at, budget_cost(amount_msat, least(fee_limit_msat, fee_msat)) AS msat FROM payment
           WHERE principal_id = p_id AND created_at > p_since AND state <> 'failed') AS p
$$;

-- Locks the budgets among these principals, so that no other transaction spends from them, and reads what is left of each. Payments end
-- without this lock: that can only leave more. p_skip_locked: does not wait.
CREATE OR REPLACE FUNCTION budget_lock(p_id text[], p_skip_locked boolean) RETURNS budget_rest[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  locked budget[]; at timestamptz;
BEGIN
  IF p_skip_locked THEN locked := ARRAY(SELECT b FROM budget b WHERE b.id = ANY (p_id) ORDER BY b.id FOR NO KEY UPDATE SKIP LOCKED);
  ELSE locked := ARRAY(SELECT b FROM budget b WHERE b.id = ANY (p_id) ORDER BY b.id FOR NO KEY UPDATE); END IF;
  at := clock_timestamp();
  -- Read after the locks: while this call waited, another one may have spent.
  RETURN ARRAY(SELECT ROW(b.id, false, b.daily_msat - b.spent[1], b.weekly_msat - b.spent[2], b.monthly_msat - b.spent[3], b.annual_msat - b.spent[4])::budget_rest
                 FROM (SELECT l.*, budget_spent(l.id, at, at - CASE WHEN l.annual_msat IS NOT NULL THEN interval '8760 hours' WHEN l.monthly_msat IS NOT NULL THEN interval '720 hours'
                                                                     WHEN l.weekly_msat IS NOT NULL THEN interval '168 hours' ELSE interval '24 hours' END) AS spent
                         FROM unnest(locked) AS l OFFSET 0) AS b)
      || CASE WHEN p_skip_locked THEN ARRAY(SELECT ROW(b.id, true, NULL, NULL, NULL, NULL)::budget_rest FROM budget b
                                             WHERE b.id = ANY (p_id) AND b.id <> ALL (ARRAY(SELECT l.id FROM unnest(locked) AS l))) END;
END $$;

-- Why a budget does not cover p_cost; null: it does, or there is no budget.
CREATE OR REPLACE FUNCTION budget_verdict(p_budgets budget_rest[], p_id text, p_cost numeric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN b.is_locked THEN 'busy' WHEN p_cost > b.daily_msat THEN 'daily_budget' WHEN p_cost > b.weekly_msat THEN 'weekly_budget'
              WHEN p_cost > b.monthly_msat THEN 'monthly_budget' WHEN p_cost > b.annual_msat THEN 'annual_budget' END
    FROM unnest(p_budgets) AS b WHERE b.id = p_id
$$;

-- Sets the limit of one window, or removes it (null). The other windows stay: two calls at once for two windows set both.
CREATE OR REPLACE FUNCTION budget_set(p_id text, p_window text, p_limit_msat bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF p_limit_msat IS NULL THEN
    UPDATE budget SET daily_msat = CASE WHEN p_window <> 'daily' THEN daily_msat END, weekly_msat = CASE WHEN p_window <> 'weekly' THEN weekly_msat END,
                      monthly_msat = CASE WHEN p_window <> 'monthly' THEN monthly_msat END, annual_msat = CASE WHEN p_window <> 'annual' THEN annual_msat END WHERE id = p_id;
    DELETE FROM budget WHERE id = p_id AND num_nonnulls(daily_msat, weekly_msat, monthly_msat, annual_msat) = 0;
    RETURN;
  END IF;
  INSERT INTO budget AS b (id, daily_msat, weekly_msat, monthly_msat, annual_msat)
    VALUES (p_id, CASE p_window WHEN 'daily' THEN p_limit_msat END, CASE p_window WHEN 'weekly' THEN p_limit_msat END, CASE p_window WHEN 'monthly' THEN p_limit_msat END,
            CASE p_window WHEN 'annual' THEN p_limit_msat END)
    ON CONFLICT (id) DO UPDATE SET daily_msat = coalesce(excluded.daily_msat, b.daily_msat), weekly_msat = coalesce(excluded.weekly_msat, b.weekly_msat),
                                   monthly_msat = coalesce(excluded.monthly_msat, b.monthly_msat), annual_msat = coalesce(excluded.annual_msat, b.annual_msat);
END $$;

-- Forgets the budget of a principal that has been deleted.
CREATE OR REPLACE FUNCTION budget_forget(p_id text) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  DELETE FROM budget WHERE id = p_id
$$;

-- The limits and the spending of each of these principals, in the given order.
CREATE OR REPLACE FUNCTION budget_list(p_id text[]) RETURNS TABLE (daily_limit_msat bigint, weekly_limit_msat bigint, monthly_limit_msat bigint, annual_limit_msat bigint,
                                                                  daily_spent_msat bigint, weekly_spent_msat bigint, monthly_spent_msat bigint, annual_spent_msat bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT b.daily_msat, b.weekly_msat, b.monthly_msat, b.annual_msat, i.spent[1]::bigint, i.spent[2]::bigint, i.spent[3]::bigint, i.spent[4]::bigint
    FROM (SELECT x.id, x.n, budget_spent(x.id, now(), now() - interval '8760 hours') AS spent FROM unnest(p_id) WITH ORDINALITY AS x(id, n) OFFSET 0) AS i
    LEFT JOIN budget b ON b.id = i.id ORDER BY i.n
$$;
