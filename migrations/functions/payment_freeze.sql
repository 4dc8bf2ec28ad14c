-- Sends that an operator, a failed audit or the comparison with the node has stopped: those of an account, or of all
-- accounts (NULL). payment_begin reads them. Each change writes the operators' log in the same statement.

-- Why a payment of this account does not begin, by the stops that payment_begin has read; null: there is none.
CREATE OR REPLACE FUNCTION payment_freeze_verdict(p_account uuid, p_frozen text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN 'all' = ANY (p_frozen) THEN 'sends_stopped'
    WHEN p_account::text = ANY (p_frozen) THEN 'account_frozen' END
$$;

CREATE OR REPLACE FUNCTION payment_freeze_subject(p_account uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT coalesce(p_account::text, 'all') $$;

-- 'frozen' | 'already': this cause has stopped them before | 'unknown': there is no such account.
-- It waits for the payments that are being begun, and those that come meanwhile wait for it: after its commit no
-- payment begins that has not read it. A payment that waits for a row is what it may wait for longest.
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

-- Ends every freeze of the account, or those of all accounts; that of a reconciliation ends when its findings are
-- accepted. False: there was none.
CREATE OR REPLACE FUNCTION payment_freeze_end(p_account uuid, p_who text, p_because text) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE causes text[];
BEGIN
  WITH ended AS (DELETE FROM payment_freeze
    WHERE subject = payment_freeze_subject(p_account) AND cause <> 'reconciliation' RETURNING cause)
    SELECT array_agg(cause ORDER BY cause) INTO causes FROM ended;
  IF causes IS NULL THEN RETURN false; END IF;
  PERFORM operator_action_add(p_who, 'thaw', payment_freeze_subject(p_account), p_because,
    jsonb_build_object('causes', causes));
  RETURN true;
END $$;

-- Ends the freeze of all accounts that Sluice made itself for this cause, when it has found the cause gone. False:
-- there was none.
CREATE OR REPLACE FUNCTION payment_freeze_lift(p_cause text, p_who text, p_because text) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM payment_freeze WHERE subject = payment_freeze_subject(NULL) AND cause = p_cause;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM operator_action_add(p_who, 'thaw', payment_freeze_subject(NULL), p_because,
    jsonb_build_object('causes', ARRAY[p_cause]));
  RETURN true;
END $$;
