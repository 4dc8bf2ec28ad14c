-- An API key, or an app for one person, may spend its budget in rolling windows of 24 hours, 7, 30 and 365 days. All
-- payments of a budget are of one account, whose lock (account_lock) is held while it is judged or changed.

-- A payment takes what leaves the wallet, in whole satoshis. From a wallet in dollars that is the worth of its cents at
-- the price of the payment, which dollars that are not exchanged do not have.
CREATE OR REPLACE FUNCTION budget_cost(p_amount bigint, p_fee_limit bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT msat_rounded_up(p_amount + p_fee_limit)
$$;

CREATE OR REPLACE FUNCTION budget_cost_v2(p_msat bigint, p_cents bigint, p_price bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(budget_cost(p_msat, 0), msat_rounded_up(dealer_msat_up(p_cents, p_price)))
$$;

CREATE OR REPLACE FUNCTION budget_window(p_part text) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_part WHEN 'daily' THEN interval '24 hours' WHEN 'weekly' THEN interval '168 hours'
    WHEN 'monthly' THEN interval '720 hours' WHEN 'annual' THEN interval '8760 hours'
    -- The sum above which a payment asks.
    WHEN 'asked' THEN interval '24 hours' END
$$;

-- A payment counts for its API key, and for the app that pays or created the key.
CREATE OR REPLACE FUNCTION budgets_of(p_attempt payment_attempt) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[p_attempt.principal_id, p_attempt.client_id || ':' || p_attempt.user_id::text]
$$;

-- The app of a budget; null for one of a key. The id of an app may be an address, with colons.
CREATE OR REPLACE FUNCTION budget_client(p_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(p_id FROM '^(.+):[^:]+$')
$$;

-- What a payment to begin takes of the budgets of its key and app.
CREATE OR REPLACE FUNCTION budget_case_cost(k payment_case) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  c CONSTANT payment_candidate := k.payment;
BEGIN
  RETURN budget_cost_v2(CASE c.payer_currency WHEN 'BTC' THEN c.cost_msat ELSE (c.attempt).amount_msat
      + CASE WHEN payment_is_sent(c.kind) THEN (c.attempt).fee_limit_msat ELSE 0 END END,
    CASE c.payer_currency WHEN 'USD' THEN c.cost_msat END, coalesce((k.terms).price, (k.dealer_order).ask));
END $$;

-- A settled payment counts with its fee, but a fee above the limit is the operator's loss. A key may have made hundreds
-- of thousands: the arithmetic of dollars is for those from dollars alone.
CREATE OR REPLACE FUNCTION budget_payments(p_id text, p_at timestamptz, p_longest interval)
RETURNS TABLE (at timestamptz, msat bigint) LANGUAGE sql STABLE AS $$
  SELECT created_at,
    CASE WHEN state = 'failed' THEN 0
      WHEN held_cents IS NULL THEN budget_cost(amount_msat + least(fee_limit_msat, fee_msat), 0)
      ELSE budget_cost_v2(amount_msat + least(fee_limit_msat, fee_msat),
        CASE WHEN state = 'in_flight' THEN held_cents ELSE dealer_charge(ROW(amount_cents,
          held_cents, NULL, dealer_cents_per_btc, NULL)::dealer_terms, amount_msat + fee_msat) END,
        dealer_cents_per_btc) END
    FROM (SELECT k.* FROM payment k WHERE k.principal_id = p_id AND k.created_at > p_at - p_longest
      UNION ALL SELECT a.* FROM payment a
      WHERE a.client_id = budget_client(p_id) AND a.created_at > p_at - p_longest
        AND a.account_id = (SELECT o.id FROM account o
          WHERE o.user_id = substring(p_id FROM ':([^:]+)$')::uuid)) AS counted
    WHERE spending_is_past(counted.created_at, p_at)
$$;

CREATE OR REPLACE FUNCTION budget_spent(p_id text, p_at timestamptz, p_longest interval)
RETURNS TABLE (part text, msat numeric, rows_read bigint) LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT ARRAY[sum(p.msat) FILTER (WHERE p.age < '24 hours'), sum(p.msat) FILTER (WHERE p.age < '168 hours'),
      sum(p.msat) FILTER (WHERE p.age < '720 hours'), sum(p.msat)] AS msat,
      ARRAY[count(*) FILTER (WHERE p.age < '24 hours'), count(*) FILTER (WHERE p.age < '168 hours'),
        count(*) FILTER (WHERE p.age < '720 hours'), count(*)] AS n
      FROM (SELECT p_at - k.at AS age, k.msat FROM budget_payments(p_id, p_at, p_longest) AS k) AS p
  )
  SELECT w.part, coalesce(w.msat, 0), w.n
    FROM found f, unnest(ARRAY['daily', 'weekly', 'monthly', 'annual'], f.msat, f.n) AS w(part, msat, n)
    WHERE budget_window(w.part) <= p_longest
$$;

-- Of one limit: what is spent, and, where nothing is left, when enough of it has left the window that something is
-- free again: the newest payment that, with all after it, reaches the limit. A payment that fails frees it earlier.
CREATE OR REPLACE FUNCTION budget_used(p_id text, p_part text, p_most bigint, p_at timestamptz)
RETURNS TABLE (msat bigint, free_at timestamptz) LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT coalesce(max(p.since), 0)::bigint, max(p.at) FILTER (WHERE p.since >= p_most) + budget_window(p_part)
    FROM (SELECT k.at, sum(k.msat) OVER (ORDER BY k.at DESC) AS since
      FROM budget_payments(p_id, p_at, budget_window(p_part)) AS k) AS p
$$;

-- The limits in force of a credential, whose budgets are these: of two for one window the one that leaves less.
CREATE OR REPLACE FUNCTION budget_in_force(p_ids text[])
RETURNS TABLE (part text, limit_msat bigint, spent_msat bigint, free_at timestamptz) LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT x.* FROM (
    SELECT DISTINCT ON (w.part) w.part, w.most, u.msat, u.free_at
      FROM budget b
      CROSS JOIN LATERAL unnest(ARRAY['daily', 'weekly', 'monthly', 'annual'],
        ARRAY[b.daily_msat, b.weekly_msat, b.monthly_msat, b.annual_msat]) AS w(part, most)
      CROSS JOIN LATERAL budget_used(b.id, w.part, w.most, now()) AS u
     WHERE b.id = ANY (p_ids) AND w.most IS NOT NULL ORDER BY w.part, w.most - u.msat) AS x
   ORDER BY budget_window(x.part)
$$;

CREATE OR REPLACE FUNCTION budget_spends(p_cases payment_case[]) RETURNS spend[] LANGUAGE plpgsql AS $$
DECLARE
  budgets CONSTANT budget[] := ARRAY(SELECT b FROM budget b
    WHERE b.id = ANY (ARRAY(SELECT unnest(budgets_of((c.payment).attempt)) FROM unnest(p_cases) AS c)));
BEGIN
  IF budgets = '{}' THEN RETURN '{}'; END IF;
  RETURN ARRAY(
    SELECT ROW(c.n, b.id, w.part, budget_case_cost(k), 0, 1, w.most, w.part || '_budget')::spend
      FROM unnest(p_cases) AS k CROSS JOIN LATERAL (SELECT (k.payment).*) AS c
      JOIN unnest(budgets) AS b ON b.id = ANY (budgets_of(c.attempt))
     CROSS JOIN LATERAL unnest(ARRAY['daily', 'weekly', 'monthly', 'annual'],
       ARRAY[b.daily_msat, b.weekly_msat, b.monthly_msat, b.annual_msat]) WITH ORDINALITY AS w(part, most, place)
     WHERE w.most IS NOT NULL AND c.payer_account IS NOT NULL ORDER BY c.n, w.place);
END $$;

-- p_limit_msat null removes the limit. The lock waits for payments that have begun without it, so that they count.
CREATE OR REPLACE FUNCTION budget_set(p_id text, p_user uuid, p_window text, p_limit_msat bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM account_lock(ARRAY[p_user]);
  INSERT INTO budget (id) VALUES (p_id) ON CONFLICT (id) DO NOTHING;
  UPDATE budget
    SET daily_msat = CASE p_window WHEN 'daily' THEN p_limit_msat ELSE daily_msat END,
      weekly_msat = CASE p_window WHEN 'weekly' THEN p_limit_msat ELSE weekly_msat END,
      monthly_msat = CASE p_window WHEN 'monthly' THEN p_limit_msat ELSE monthly_msat END,
      annual_msat = CASE p_window WHEN 'annual' THEN p_limit_msat ELSE annual_msat END
    WHERE id = p_id;
  IF p_limit_msat IS NULL THEN
    DELETE FROM budget WHERE id = p_id AND num_nonnulls(daily_msat, weekly_msat, monthly_msat, annual_msat) = 0;
    DELETE FROM spending_bound WHERE owner = p_id AND part = p_window;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION budget_forget(p_id text) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  DELETE FROM spending_bound WHERE owner = p_id;
  DELETE FROM budget_ask WHERE id = p_id;
  DELETE FROM budget WHERE id = p_id
$$;

CREATE OR REPLACE FUNCTION budget_list(p_id text[])
RETURNS TABLE (daily_limit_msat bigint, weekly_limit_msat bigint, monthly_limit_msat bigint, annual_limit_msat bigint,
  daily_spent_msat bigint, weekly_spent_msat bigint, monthly_spent_msat bigint, annual_spent_msat bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT b.daily_msat, b.weekly_msat, b.monthly_msat, b.annual_msat, i.spent[1]::bigint, i.spent[2]::bigint,
    i.spent[3]::bigint, i.spent[4]::bigint
    FROM (SELECT x.id, x.n,
      ARRAY(SELECT s.msat FROM budget_spent(x.id, now(), budget_window('annual')) AS s
        ORDER BY budget_window(s.part)) AS spent
      FROM unnest(p_id) WITH ORDINALITY AS x(id, n) OFFSET 0) AS i
    LEFT JOIN budget b ON b.id = i.id ORDER BY i.n
$$;
