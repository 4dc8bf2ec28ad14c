CREATE OR REPLACE FUNCTION ledger_compile(p_operations ledger_operation[]) RETURNS ledger_compiled[]
LANGUAGE plpgsql AS $$
DECLARE
  c_max CONSTANT numeric := ledger_max_amount();
BEGIN
  RETURN ARRAY(
    WITH asked AS MATERIALIZED (
      SELECT o.* FROM unnest(p_operations) WITH ORDINALITY AS o(op, idem, kind, hold, legs, n)
    ), part AS MATERIALIZED (
      SELECT o.n AS op, l.account, l.amount FROM asked o CROSS JOIN LATERAL unnest(o.legs) AS l
    ), known AS MATERIALIZED (  -- accounts are never deleted and never change their currency, so this needs no lock
      SELECT a.id, a.currency, a.hot FROM ledger_account a WHERE a.id = ANY (ARRAY(SELECT p.account FROM part p))
    ), leg AS (
      SELECT l.op, l.account, l.amount, a.currency, a.hot,
             CASE
               WHEN l.account IS NULL OR l.amount IS NULL OR l.amount = 0 OR l.amount <> trunc(l.amount) THEN 'invalid'
                  WHEN abs(l.amount) > c_max THEN 'out_of_range'  -- NaN and infinity too
                  WHEN a.id IS NULL THEN 'unknown_account' END AS fault
        FROM part l LEFT JOIN known a ON a.id = l.account
    ), net AS (  -- least and min: the alphabetical order of the faults is the order of the checks
      SELECT op, account, net.amount, sum(net.amount) OVER (PARTITION BY op, currency) AS currency_total, hot,
             least(fault, CASE WHEN abs(net.amount) > c_max THEN 'out_of_range' END) AS fault
        FROM (SELECT op, account, currency, bool_or(hot) AS hot, min(fault) AS fault,
                     -- faulty amounts may be so long that numeric overflows
                     sum(amount) FILTER (WHERE fault IS NULL) AS amount
                FROM leg GROUP BY op, account, currency) net
    ), legs AS (
      SELECT op, min(fault) AS fault, bool_or(hot) AS hot, bool_or(amount <> 0)
        AND bool_and(currency_total = 0) AS balanced, array_agg(account ORDER BY account) AS accounts,
        array_agg(CASE WHEN fault IS NULL THEN amount::bigint END ORDER BY account) AS amounts
        FROM net GROUP BY op
    )
    SELECT ROW(o.op, o.idem, o.kind, o.hold, coalesce(l.accounts, '{}'), coalesce(l.amounts, '{}'),
               CASE WHEN l.fault IS NOT NULL THEN l.fault
                    WHEN o.idem IS NOT NULL AND o.kind IS NOT NULL AND CASE o.op
                      WHEN 'post' THEN o.hold IS NULL AND l.balanced
                      WHEN 'hold' THEN o.hold IS NULL AND cardinality(l.accounts) = 1 AND l.amounts[1] < 0 AND NOT l.hot
                      WHEN 'capture' THEN o.hold IS NOT NULL AND l.balanced
                      WHEN 'void' THEN o.hold IS NOT NULL AND l.op IS NULL END THEN NULL
                    ELSE 'invalid' END,
               sha256(convert_to(concat_ws('|', o.op, o.kind, o.hold, l.accounts, l.amounts), 'UTF8')))::ledger_compiled
      FROM asked o LEFT JOIN legs l ON l.op = o.n
     ORDER BY o.n);
END $$;

-- A named hold is touched too; it never changes its account.
CREATE OR REPLACE FUNCTION ledger_touched(p_operations ledger_compiled[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT a.id FROM unnest(p_operations) o CROSS JOIN unnest(o.accounts) AS a(id) WHERE o.refusal IS NULL
    UNION SELECT h.account_id FROM ledger_hold h WHERE h.id = ANY (ARRAY(SELECT o.hold FROM unnest(p_operations) o)));
END $$;

-- p_known: the content with which the key was accepted before. Pure and with scalars only: PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION ledger_key_refusal(p_known bytea, p_content bytea, p_op text, p_hold uuid, p_hold_state text,
  p_hold_amount bigint, p_debit bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p_known = p_content THEN 'duplicate'
    WHEN p_known <> p_content THEN 'conflict'
    WHEN p_hold IS NULL THEN NULL
    WHEN p_hold_state IS DISTINCT FROM 'open' THEN 'hold_not_open'
    WHEN p_op = 'void' THEN NULL
    WHEN p_debit > 0 IS NOT TRUE THEN 'invalid'
    WHEN p_debit > p_hold_amount THEN 'hold_exceeded' END
$$;

-- Hot accounts are not locked yet; the constraint checks them.
CREATE OR REPLACE FUNCTION ledger_account_refusal(p_posted bigint, p_held bigint, p_hot boolean,
  p_allow_negative boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN p_hot THEN NULL
    WHEN abs(p_posted) > ledger_max_amount() OR p_held > ledger_max_amount() THEN 'out_of_range'
    WHEN p_posted < p_held AND NOT p_allow_negative THEN 'insufficient' END
$$;
