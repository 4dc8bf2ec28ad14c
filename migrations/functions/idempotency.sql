-- Claims a key with a lease. One caller gets `mine`, and renews its lease while it runs the request. A lease that
-- expired without a response is that of a process that died or stalled: the next caller runs the request again, under
-- another `claim`. That is the fencing token: the response of the first process is no longer stored. What the request
-- moves has an idempotency id of its own, so it moves once. The other callers get
--   running    another call is running it
--   replay     with the stored response
--   withheld   it was answered, and the response held a secret that is not stored
--   conflict   the key was used for another request
-- `since` names one use of a key, and with it what that use moves; a retry after a crash gets the same. So its text
-- does not depend on any setting of a session. A key expires p_kept_seconds after its last use, never after its first:
-- a caller that is using it keeps it, and a retry late in that time leaves a response that lasts, or a `since` that the
-- next retry finds.
CREATE OR REPLACE FUNCTION idempotency_claim(p_scope bytea, p_fingerprint bytea, p_lease_seconds integer,
  p_kept_seconds integer)
RETURNS TABLE (verdict text, answer json, since text, claim uuid) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  known idempotency;
  forgotten CONSTANT timestamptz := clock_timestamp() - make_interval(secs => p_kept_seconds);
BEGIN
  -- Not now(): a call may wait here for another of the same key, and its lease starts at the end of that wait.
  INSERT INTO idempotency AS i (scope, fingerprint, claim, claimed_until)
    VALUES (p_scope, p_fingerprint, gen_random_uuid(), clock_timestamp() + make_interval(secs => p_lease_seconds))
    ON CONFLICT (scope) DO UPDATE
      SET fingerprint = p_fingerprint, state = 'running', answer = NULL, claim = excluded.claim,
        claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds),
        created_at = CASE WHEN i.state = 'running' AND i.claimed_until >= forgotten THEN i.created_at ELSE now() END
      WHERE i.claimed_until < forgotten
         OR (i.state = 'running' AND i.claimed_until <= clock_timestamp() AND i.fingerprint = p_fingerprint)
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
