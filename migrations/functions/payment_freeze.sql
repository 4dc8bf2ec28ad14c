CREATE OR REPLACE FUNCTION payment_freeze_verdict(p_account uuid, p_frozen text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN 'all' = ANY (p_frozen) THEN 'sends_stopped'
    WHEN p_account::text = ANY (p_frozen) THEN 'account_frozen' END
$$;

CREATE OR REPLACE FUNCTION payment_freeze_subject(p_account uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT coalesce(p_account::text, 'all') $$;

-- 'frozen' | 'already': this cause has stopped them before | 'unknown': there is no such account. The lock waits for
-- payments that are being begun, and later ones wait for it: after its commit none begins that has not read it.
CREATE OR REPLACE FUNCTION payment_freeze_set(p_account uuid, p_cause text, p_who text, p_because text) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(lock_key('paymentFreeze'));
  IF p_account IS NOT NULL AND NOT EXISTS (SELECT FROM account WHERE id = p_account) THEN RETURN 'unknown'; END IF;
  INSERT INTO payment_freeze (subject, cause, because, since)
    VALUES (payment_freeze_subject(p_account), p_cause, p_because, clock_timestamp()) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'already'; END IF;
  PERFORM operator_action_add(p_who, 'freeze', payment_freeze_subject(p_account), p_because,
    jsonb_build_object('cause', p_cause));
  RETURN 'frozen';
END $$;

-- Those of all accounts where p_account is null. The freeze of a reconciliation ends by its own call, when nothing is
-- left to be accepted. False: there was none.
CREATE OR REPLACE FUNCTION payment_freeze_end(p_account uuid, p_is_reconciled boolean, p_who text, p_because text)
RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE causes text[];
BEGIN
  WITH ended AS (DELETE FROM payment_freeze
    WHERE subject = payment_freeze_subject(p_account) AND (cause = 'reconciliation') = p_is_reconciled RETURNING cause)
    SELECT array_agg(cause ORDER BY cause) INTO causes FROM ended;
  IF causes IS NULL THEN RETURN false; END IF;
  PERFORM operator_action_add(p_who, 'thaw', payment_freeze_subject(p_account), p_because,
    jsonb_build_object('causes', causes));
  RETURN true;
END $$;
