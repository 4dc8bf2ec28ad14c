-- Reads operations before any lock is taken. The head of ledger_apply.sql defines them.

-- The functions resolve names in the schema that they are created in, for every caller, and never in pg_temp.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE OR REPLACE FUNCTION ledger_compile(
  p_op text[], p_idem uuid[], p_kind smallint[], p_leg_op int[], p_leg_account bigint[], p_leg_amount numeric[], p_hold uuid[]
) RETURNS ledger_operation[] LANGUAGE plpgsql AS $$
DECLARE
  c_max CONSTANT numeric := 2100000000000000000;
  -- Accounts are never deleted and never change their currency, so this needs no lock.
  known ledger_account[] := ARRAY(SELECT a FROM ledger_account a WHERE a.id = ANY (p_leg_account));
BEGIN
  RETURN ARRAY(
    WITH leg AS (
      SELECT l.op, l.account, l.amount, a.currency, a.hot,
             CASE WHEN l.account IS NULL OR l.amount IS NULL OR l.amount = 0 OR l.amount <> trunc(l.amount) THEN 'invalid'
                  WHEN abs(l.amount) > c_max THEN 'out_of_range'  -- NaN and infinity too
                  WHEN a.id IS NULL THEN 'unknown_account' END AS fault
        FROM unnest(p_leg_op, p_leg_account, p_leg_amount) AS l(op, account, amount) LEFT JOIN unnest(known) a ON a.id = l.account
    ), net AS (  -- least and min: the alphabetical order of the faults is the order of the checks
      SELECT op, account, net.amount, sum(net.amount) OVER (PARTITION BY op, currency) AS currency_total, hot,
             least(fault, CASE WHEN abs(net.amount) > c_max THEN 'out_of_range' END) AS fault
        FROM (SELECT op, account, currency, bool_or(hot) AS hot, min(fault) AS fault,
                     sum(amount) FILTER (WHERE fault IS NULL) AS amount  -- faulty amounts may be so long that numeric overflows
                FROM leg GROUP BY op, account, currency) net
    ), legs AS (
      SELECT op, min(fault) AS fault, bool_or(hot) AS hot, bool_or(amount <> 0) AND bool_and(currency_total = 0) AS balanced,
             array_agg(account ORDER BY account) AS accounts,
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
               sha256(convert_to(concat_ws('|', o.op, o.kind, o.hold, l.accounts, l.amounts), 'UTF8')))::ledger_operation
      FROM unnest(p_op, p_idem, p_kind, p_hold) WITH ORDINALITY AS o(op, idem, kind, hold, n) LEFT JOIN legs l ON l.op = o.n
     ORDER BY o.n);
END $$;

-- The accounts that operations may touch: those of their legs, and those of the holds they name (a hold never changes its account).
CREATE OR REPLACE FUNCTION ledger_touched(p_operations ledger_operation[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT a.id FROM unnest(p_operations) o CROSS JOIN unnest(o.accounts) AS a(id) WHERE o.refusal IS NULL
               UNION SELECT h.account_id FROM ledger_hold h WHERE h.id = ANY (ARRAY(SELECT o.hold FROM unnest(p_operations) o)));
END $$;
