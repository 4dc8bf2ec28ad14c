-- A job is one row until it has succeeded; after its last failure the row stays, for the operator. Each class has slots
-- of its own in a process, so no class waits for another. Owners stand in a line (job_owner): a turn is one job, then
-- the owner goes to the end, so one with 100,000 jobs delays another by one job. Jobs without an owner ('') run by
-- time.
-- run_at of a running job is the end of its claim: then any process may take it, and the end of the first run is not
-- stored any more. Lock order: the job, its subject, its owner.
-- written_at goes with run_at: one of the future says that the clock has gone back since, and how far.

-- The lock makes claims skip the owner until the caller commits. No owner ('') stands in line.
CREATE OR REPLACE FUNCTION job_line_up(p_class text, p_owner text, p_at timestamptz) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  INSERT INTO job_owner AS o (class, owner, turn_at) SELECT p_class, p_owner, p_at WHERE p_owner <> ''
  ON CONFLICT (class, owner) DO UPDATE SET turn_at = excluded.turn_at WHERE o.turn_at > excluded.turn_at
$$;

-- Without a job the owner leaves the line; after a turn it goes to the end.
CREATE OR REPLACE FUNCTION job_line_move(p_class text, p_owner text, p_had_turn boolean) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_next timestamptz;
BEGIN
  PERFORM FROM job_owner o WHERE o.class = p_class AND o.owner = p_owner FOR NO KEY UPDATE;
  -- A statement of its own sees the jobs of earlier holders of the lock.
  SELECT min(j.run_at) INTO v_next FROM job j
   WHERE j.class = p_class AND j.owner = p_owner AND NOT j.is_failed;
  IF v_next IS NULL THEN
    DELETE FROM job_owner o WHERE o.class = p_class AND o.owner = p_owner;
  ELSIF p_had_turn THEN
    UPDATE job_owner o SET turn_at = greatest(v_next, clock_timestamp()) WHERE o.class = p_class AND o.owner = p_owner;
  END IF;
END $$;

-- Replaces a job with the same task and key, also a running one: the end of that run is not stored. p_max_attempts
-- NULL: the task decides after each attempt, and the caller wakes its process after the commit.
CREATE OR REPLACE FUNCTION job_add(
  p_class text, p_owner text, p_task text, p_payload jsonb, p_key text DEFAULT NULL, p_run_at timestamptz DEFAULT NULL,
  p_max_attempts integer DEFAULT NULL
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_at CONSTANT timestamptz := coalesce(p_run_at, clock_timestamp());
BEGIN
  INSERT INTO job AS j (class, owner, task, key, payload, run_at, written_at, max_attempts)
  VALUES (p_class, p_owner, p_task, p_key, p_payload, v_at, CASE WHEN p_run_at IS NULL THEN now() ELSE '-infinity' END,
          p_max_attempts)
  ON CONFLICT (task, key) WHERE key IS NOT NULL DO UPDATE
     SET class = excluded.class, owner = excluded.owner, payload = excluded.payload, run_at = excluded.run_at,
         written_at = excluded.written_at, attempts = 0, max_attempts = excluded.max_attempts, claim = NULL,
         is_failed = false, last_error = NULL;
  PERFORM job_line_up(p_class, p_owner, v_at);
  IF p_max_attempts IS NOT NULL THEN
    PERFORM event_add(ARRAY['job.added'], ARRAY[p_class], ARRAY['{}'::jsonb]);
  END IF;
END $$;

-- Claims, for p_seconds, one job without an owner and one of each of the first p_max owners in line, except p_full.
-- p_is_serial: an owner has one job at a time. A crash of PostgreSQL repeats its last jobs: claims and ends do not wait
-- for the disk.
CREATE OR REPLACE FUNCTION job_claim(
  p_class text, p_max integer, p_tasks text[], p_full text[], p_seconds integer, p_is_serial boolean
) RETURNS TABLE (
  id bigint, task text, owner text, payload jsonb, attempt integer, max_attempts integer, claim uuid, is_freed boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  v_now CONSTANT timestamptz := clock_timestamp();
  v_owner text;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR v_owner IN
    SELECT '' UNION ALL SELECT l.owner FROM (
      SELECT o.owner FROM job_owner o WHERE o.class = p_class AND o.turn_at <= v_now AND o.owner <> ALL (p_full)
       ORDER BY o.turn_at LIMIT p_max FOR NO KEY UPDATE SKIP LOCKED) AS l
  LOOP
    IF v_owner = '' OR NOT p_is_serial OR NOT EXISTS (
      SELECT FROM job j WHERE j.class = p_class AND j.owner = v_owner AND j.claim IS NOT NULL AND j.run_at > v_now) THEN
      RETURN QUERY
        UPDATE job j
           SET claim = gen_random_uuid(), attempts = j.attempts + 1, run_at = v_now + make_interval(secs => p_seconds),
               written_at = v_now
          FROM (SELECT n.id, n.claim FROM job n
                 WHERE n.class = p_class AND n.owner = v_owner AND NOT n.is_failed AND n.run_at <= v_now
                   AND n.task = ANY (p_tasks)
                 ORDER BY n.run_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
         WHERE j.id = due.id
        RETURNING j.id, j.task, j.owner, j.payload, j.attempts, j.max_attempts, j.claim, due.claim IS NOT NULL;
    END IF;
    IF v_owner <> '' THEN PERFORM job_line_move(p_class, v_owner, true); END IF;
  END LOOP;
END $$;

-- p_error and no p_again_seconds: it has failed for good. False: another process has the claim, or the job was
-- replaced.
CREATE OR REPLACE FUNCTION job_end(
  p_id bigint, p_claim uuid, p_again_seconds float8, p_error text, p_attempts integer, p_class text DEFAULT NULL
) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE
  v_row job;
  v_at CONSTANT timestamptz := clock_timestamp() + make_interval(secs => coalesce(p_again_seconds, 0));
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  IF p_again_seconds IS NULL AND p_error IS NULL THEN
    DELETE FROM job j WHERE j.id = p_id AND j.claim = p_claim RETURNING j.* INTO v_row;
  ELSE
    SELECT * INTO v_row FROM job j WHERE j.id = p_id AND j.claim = p_claim FOR UPDATE;
    UPDATE job j SET class = coalesce(p_class, j.class), claim = NULL, is_failed = p_again_seconds IS NULL,
                     run_at = v_at, written_at = now(), attempts = p_attempts, last_error = p_error
     WHERE j.id = v_row.id;
  END IF;
  IF v_row.id IS NULL THEN RETURN false; END IF;
  IF p_again_seconds IS NOT NULL THEN PERFORM job_line_up(coalesce(p_class, v_row.class), v_row.owner, v_at); END IF;
  IF v_row.owner <> '' THEN PERFORM job_line_move(v_row.class, v_row.owner, false); END IF;
  RETURN true;
END $$;
