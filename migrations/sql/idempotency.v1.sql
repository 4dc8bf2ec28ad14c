SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Whose turn is it to run this request? One caller is told `mine`, until its lease ends, and renews it for as long as it runs; a lease that
-- ended without an answer is that of a process that died or stood still, and the request is run again (what it moves has a name of its own,
-- so it moves once) under another `claim`: should the first come back to life, its answer is nobody's any more. Everybody else is told
--   running    by somebody, now
--   replay     with the answer
--   withheld   it was answered, and the answer held a secret that is not kept
--   conflict   the key was used for another request
-- `since` names one use of a key, and with it what that use moves; a repeat after a crash has the same. So it is written in a way that no
-- setting of a session changes. A key is forgotten a day after somebody was last at it, never a day after its first use: whoever is at it
-- now keeps it, and a repeat that came late in the day leaves an answer that lasts, or a name that the next repeat finds.
CREATE FUNCTION idempotency_claim(p_scope bytea, p_fingerprint bytea, p_lease_seconds integer, p_kept_seconds integer)
RETURNS TABLE (verdict text, answer json, since text, claim uuid) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  known idempotency;
  forgotten CONSTANT timestamptz := clock_timestamp() - make_interval(secs => p_kept_seconds);
BEGIN
  -- The clock is read where it is needed: a call may wait here for another of the same key, and a lease is counted from the end of that wait.
  INSERT INTO idempotency AS i (scope, fingerprint, claim, claimed_until)
    VALUES (p_scope, p_fingerprint, gen_random_uuid(), clock_timestamp() + make_interval(secs => p_lease_seconds))
    ON CONFLICT (scope) DO UPDATE SET fingerprint = p_fingerprint, state = 'running', answer = NULL, claim = excluded.claim,
                                      claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds),
                                      created_at = CASE WHEN i.state = 'running' AND i.claimed_until >= forgotten THEN i.created_at ELSE now() END
      WHERE i.claimed_until < forgotten
         OR (i.state = 'running' AND i.claimed_until <= clock_timestamp() AND i.fingerprint = p_fingerprint)
    RETURNING * INTO known;
  IF FOUND THEN RETURN QUERY SELECT 'mine'::text, NULL::json, extract(epoch FROM known.created_at)::text, known.claim; RETURN; END IF;
  SELECT * INTO known FROM idempotency i WHERE i.scope = p_scope;
  RETURN QUERY SELECT CASE WHEN known.scope IS NULL THEN 'running' WHEN known.fingerprint <> p_fingerprint THEN 'conflict'
                           WHEN known.state = 'done' THEN 'replay' ELSE known.state END, known.answer, NULL::text, NULL::uuid;
END $$;
