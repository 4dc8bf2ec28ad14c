-- Claims a key with a lease, which the caller that gets `mine` renews. A lease that expired without a response is of a
-- process that died or stalled, and so is one of more than five minutes: the clock was ahead. The next caller runs the
-- request again under another `claim`, the fencing token, and the response of the first is not stored any more. Its
-- money has an idempotency id, so it moves once. Other callers get
--   running | conflict: the key was used for another request | replay: with the stored response | withheld: the
--     response held a secret that is not stored
-- `since` names one use of a key, and the request's idempotency ids follow from it, so its text depends on no setting
-- of a session. A key expires p_kept_seconds after its last use: a retry late in that time leaves a response, or a
-- `since` that the next retry finds.
CREATE OR REPLACE FUNCTION idempotency_claim(p_scope bytea, p_fingerprint bytea, p_lease_seconds integer,
  p_kept_seconds integer)
RETURNS TABLE (verdict text, answer json, since text, claim uuid) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  known idempotency;
  forgotten CONSTANT timestamptz := clock_timestamp() - make_interval(secs => p_kept_seconds);
BEGIN
  -- Not now(): a call may wait here for another of the same key, and its lease starts after that.
  INSERT INTO idempotency AS i (scope, fingerprint, claim, claimed_until)
    VALUES (p_scope, p_fingerprint, gen_random_uuid(), clock_timestamp() + make_interval(secs => p_lease_seconds))
    ON CONFLICT (scope) DO UPDATE
      SET fingerprint = p_fingerprint, state = 'running', answer = NULL, claim = excluded.claim,
        claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds),
        created_at = CASE WHEN i.state = 'running' AND i.claimed_until >= forgotten THEN i.created_at ELSE now() END,
        effects = CASE WHEN i.state = 'running' AND i.claimed_until >= forgotten THEN i.effects ELSE '{}' END
      WHERE i.claimed_until < forgotten
         OR (i.state = 'running' AND i.fingerprint = p_fingerprint AND (i.claimed_until <= clock_timestamp()
           OR i.claimed_until > clock_timestamp() + interval '5 minutes'))
    RETURNING * INTO known;
  IF FOUND THEN
    RETURN QUERY SELECT 'mine'::text, NULL::json, extract(epoch FROM known.created_at)::text, known.claim;
    RETURN;
  END IF;
  SELECT * INTO known FROM idempotency i WHERE i.scope = p_scope;
  RETURN QUERY
    SELECT CASE WHEN known.scope IS NULL THEN 'running' WHEN known.fingerprint <> p_fingerprint THEN 'conflict'
      WHEN known.state = 'done' THEN 'replay' ELSE known.state END,
      known.answer, NULL::text, NULL::uuid;
END $$;

-- True for one run of an attempt, which has the effect in the same transaction; another run waits for its end. False
-- also when the key has expired meanwhile. p_attempt: scope, `since` and the field's name in the response.
CREATE OR REPLACE FUNCTION idempotency_once(p_attempt text) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_part CONSTANT text[] := regexp_match(p_attempt, '^(\S+) (\S+) (.+)$');
BEGIN
  UPDATE idempotency i SET effects = i.effects || v_part[3]
   WHERE i.scope = decode(v_part[1], 'hex') AND extract(epoch FROM i.created_at)::text = v_part[2]
     AND v_part[3] <> ALL (i.effects);
  RETURN FOUND;
END $$;
