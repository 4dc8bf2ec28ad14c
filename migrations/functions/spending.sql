-- Limits and budgets are judged by the payments, so one that fails, or costs less than was held, gives back what it
-- took without another write. spending_bound has an upper bound: only where it exceeds the limit are the payments of
-- the whole time read. A bound is read and changed under account_lock.

-- Windows end now. Rows of an account grow, so a new one may be some moments ahead of the clock; one that is further
-- ahead was written while the clock was wrong. The planner puts this into the query of its caller: a sum is not
-- immutable, and a call for each row costs more than the row.
CREATE OR REPLACE FUNCTION spending_is_past(p_created timestamptz, p_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_created - p_at <= interval '1 minute'
$$;

-- Exact: msat by cents for one bitcoin, 100,000,000,000 of it a cent. A budget has a price of 1.
CREATE OR REPLACE FUNCTION spending_worth(p_msat numeric, p_cents numeric, p_price bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$
  SELECT p_msat * p_price + p_cents * 100000000000
$$;

-- Many payments are not read again at once: that would make each attempt beyond the limit expensive for the others of
-- its batch.
CREATE OR REPLACE FUNCTION spending_read(p_owner text, p_parts text[], p_at timestamptz) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  longest CONSTANT interval := (SELECT max(budget_window(p)) FROM unnest(p_parts) AS p);
  read spending[];
BEGIN
  IF longest IS NULL THEN
    read := ARRAY(SELECT ROW(s.flow, s.msat, s.cents, s.rows_read)::spending
      FROM account_spent(p_owner::uuid, p_at) AS s);
  ELSE
    -- The sum above which a payment asks is that of a day.
    read := ARRAY(SELECT ROW(x.part, s.msat, 0, s.rows_read)::spending FROM budget_spent(p_owner, p_at, longest) AS s
      CROSS JOIN LATERAL unnest(ARRAY[s.part, CASE s.part WHEN 'daily' THEN 'asked' END]) AS x(part));
  END IF;
  INSERT INTO spending_bound AS b (owner, part, msat, cents, read_after)
    SELECT p_owner, r.part, r.msat, r.cents,
      p_at + CASE WHEN r.rows_read > 1000 THEN r.rows_read * interval '100 microseconds' ELSE interval '0' END
      FROM unnest(read) AS r WHERE r.part = ANY (p_parts)
    ON CONFLICT (owner, part) DO UPDATE
      SET msat = excluded.msat, cents = excluded.cents, read_after = excluded.read_after;
END $$;

-- p_spent: the bound; null: not known yet.
CREATE OR REPLACE FUNCTION spending_rest(p_cost numeric, p_most numeric, p_spent numeric, p_refusal text)
RETURNS spend_rest LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(least(p_most, p_most - p_spent), p_cost,
    CASE WHEN p_cost > least(p_most, p_most - p_spent) THEN p_refusal END)::spend_rest
$$;

-- An amount above the whole limit reads nothing. A time too far ahead was written while the clock was.
CREATE OR REPLACE FUNCTION spending_is_due(p_cost numeric, p_most numeric, p_spent numeric, p_read_after timestamptz,
  p_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_cost <= p_most AND (p_spent IS NULL OR p_cost > p_most - p_spent
    AND (p_read_after <= p_at OR p_read_after > p_at + interval '10 minutes'))
$$;

-- The caller has the settings of the planner.
CREATE OR REPLACE FUNCTION spending_rests(p_spends spend[], p_at timestamptz) RETURNS spend_rest[] LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  owners CONSTANT text[] := ARRAY(SELECT DISTINCT s.owner FROM unnest(p_spends) AS s WHERE s.most IS NOT NULL);
  rests spend_rest[]; due text[]; parts text[];
BEGIN
  FOR pass IN 1..2 LOOP
    WITH known AS MATERIALIZED (SELECT b.* FROM spending_bound b WHERE b.owner = ANY (owners))
    SELECT array_agg(spending_rest(x.cost, x.most, x.spent, x.refusal) ORDER BY x.ordinality),
      array_agg(x.owner) FILTER (WHERE x.is_due), array_agg(x.part) FILTER (WHERE x.is_due)
      INTO rests, due, parts
      FROM (SELECT j.*, spending_is_due(j.cost, j.most, j.spent, j.read_after, p_at) AS is_due
              FROM (SELECT s.ordinality, s.owner, s.part, s.most, s.refusal,
                spending_worth(s.msat, s.cents, s.price) AS cost, spending_worth(k.msat, k.cents, s.price) AS spent,
                k.read_after
                FROM unnest(p_spends) WITH ORDINALITY AS s
                LEFT JOIN known k ON k.owner = s.owner AND k.part = s.part OFFSET 0) AS j) AS x;
    EXIT WHEN due IS NULL OR pass = 2;
    PERFORM spending_read(d.owner, d.parts, p_at)
      FROM (SELECT u.owner, array_agg(DISTINCT u.part) AS parts FROM unnest(due, parts) AS u(owner, part)
        GROUP BY 1) AS d;
  END LOOP;
  RETURN rests;
END $$;

-- The first limit that each of the first p_count payments exceeds; null: none.
CREATE OR REPLACE FUNCTION spending_refusals(p_spends spend[], p_rests spend_rest[], p_count int) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path FROM CURRENT AS $$
  SELECT ARRAY(SELECT (array_agg(r.refusal ORDER BY r.ordinality) FILTER (WHERE r.refusal IS NOT NULL))[1]
    FROM generate_series(1, p_count) AS c(n)
    LEFT JOIN (SELECT s.n, u.refusal, u.ordinality FROM unnest(p_rests) WITH ORDINALITY AS u
      JOIN unnest(p_spends) WITH ORDINALITY AS s USING (ordinality)) AS r ON r.n = c.n
    GROUP BY c.n ORDER BY c.n)
$$;

-- The first payment of each owner never exceeds a limit.
CREATE OR REPLACE FUNCTION spending_beyond(p_spends spend[], p_rests spend_rest[], p_n int[]) RETURNS int[]
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT x.n
    FROM (SELECT s.n, s.rest, sum(s.cost) OVER (PARTITION BY s.owner, s.part ORDER BY s.n) AS total
      FROM unnest(p_spends, p_rests) AS s(n, owner, part, msat, cents, price, most, limited, rest, cost, refusal)
      WHERE s.n = ANY (p_n)) AS x
    WHERE x.total > x.rest);
END $$;

-- Where there is no bound yet, the first payment that has a limit reads it.
CREATE OR REPLACE FUNCTION spending_add(p_spends spend[], p_n int[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE spending_bound b SET msat = b.msat + n.msat, cents = b.cents + n.cents
    FROM (SELECT s.owner, s.part, sum(s.msat) AS msat, sum(s.cents) AS cents FROM unnest(p_spends) AS s
      WHERE s.n = ANY (p_n) GROUP BY 1, 2) AS n
   WHERE b.owner = ANY (ARRAY(SELECT s.owner FROM unnest(p_spends) AS s)) AND n.owner = b.owner AND n.part = b.part;
END $$;
