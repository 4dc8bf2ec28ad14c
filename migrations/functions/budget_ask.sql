-- A key, or an app for one person, may have an amount of one payment and a sum of 24 hours above which a payment waits
-- for its owner. What the owner has approved counts in the sum, and exceeds it.

CREATE OR REPLACE FUNCTION budget_asks(p_cases payment_case[]) RETURNS budget_ask[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT a FROM budget_ask a
    WHERE a.id = ANY (ARRAY(SELECT unnest(budgets_of((c.payment).attempt)) FROM unnest(p_cases) AS c)));
END $$;

-- p_approved: payments that have waited. They have no limit here, but the others after them do.
CREATE OR REPLACE FUNCTION budget_ask_spends(p_cases payment_case[], p_asks budget_ask[], p_approved uuid[])
RETURNS spend[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT ROW((c.payment).n, a.id, 'asked', budget_case_cost(c), 0, 1,
      CASE WHEN ((c.payment).attempt).id <> ALL (p_approved) THEN a.day_msat END, 'needs_approval')::spend
    FROM unnest(p_cases) AS c JOIN unnest(p_asks) AS a ON a.id = ANY (budgets_of((c.payment).attempt))
   WHERE a.day_msat IS NOT NULL AND (c.payment).payer_account IS NOT NULL ORDER BY (c.payment).n)
$$;

-- The payments that ask by their amount alone.
CREATE OR REPLACE FUNCTION budget_ask_alone(p_cases payment_case[], p_asks budget_ask[], p_approved uuid[])
RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT (c.payment).n
    FROM unnest(p_cases) AS c JOIN unnest(p_asks) AS a ON a.id = ANY (budgets_of((c.payment).attempt))
   WHERE ((c.payment).attempt).id <> ALL (p_approved) AND budget_case_cost(c) > a.payment_msat)
$$;

-- Null: it does not ask by that. The lock waits for payments that have begun before, so that they count.
CREATE OR REPLACE FUNCTION budget_ask_set(p_id text, p_user uuid, p_payment_msat bigint, p_day_msat bigint)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM account_lock(ARRAY[p_user]);
  DELETE FROM budget_ask WHERE id = p_id;
  DELETE FROM spending_bound WHERE owner = p_id AND part = 'asked';
  INSERT INTO budget_ask (id, payment_msat, day_msat) SELECT p_id, p_payment_msat, p_day_msat
   WHERE num_nonnulls(p_payment_msat, p_day_msat) > 0;
END $$;
