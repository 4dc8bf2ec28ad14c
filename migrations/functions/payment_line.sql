-- An account that waits to pay an invoice comes again several times a second. One that does not has died.
CREATE OR REPLACE FUNCTION payment_line_waits(p payment_line) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p.seen_at BETWEEN clock_timestamp() - interval '2 seconds' AND clock_timestamp() + interval '2 seconds'
$$;

CREATE OR REPLACE FUNCTION payment_line_join(p_hash text, p_wallet uuid) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  INSERT INTO payment_line AS l (payment_hash, account_id)
    SELECT p_hash, w.account_id FROM wallet w WHERE w.id = p_wallet
    ON CONFLICT (payment_hash, account_id) DO UPDATE
      SET since = CASE WHEN payment_line_waits(l) THEN l.since ELSE clock_timestamp() END, seen_at = clock_timestamp()
$$;

CREATE OR REPLACE FUNCTION payment_line_leave(p_hash text, p_wallet uuid) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  DELETE FROM payment_line WHERE payment_hash = p_hash
    AND account_id = (SELECT w.account_id FROM wallet w WHERE w.id = p_wallet)
$$;

-- First come, first served; an account whose try has failed goes behind those that have not tried. Null: its turn.
CREATE OR REPLACE FUNCTION payment_line_verdict(p_hash text, p_account uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  tried CONSTANT uuid[] := ARRAY(SELECT p.account_id FROM payment p
    WHERE p.payment_hash = p_hash AND p.state = 'failed');
  next_account CONSTANT uuid := (SELECT l.account_id FROM payment_line l
    WHERE l.payment_hash = p_hash AND payment_line_waits(l)
    ORDER BY l.account_id = ANY (tried), l.since, l.account_id LIMIT 1);
BEGIN
  RETURN CASE WHEN next_account <> p_account AND (next_account <> ALL (tried) OR p_account = ANY (tried))
    THEN 'being_paid' END;
END $$;
