-- Each function locks payments by id.

-- A claim's token identifies a dispatcher's one attempt to send; a retry after a lost response has the same token:
--   taken: the caller alone may send it. A retry gets it too: a dispatcher sends nothing before `taken`
--   refused: it has ended, or another dispatcher has it
-- A statement that arrives after its retry keeps dispatched_at, which stays before the call.
CREATE OR REPLACE FUNCTION payment_dispatch(p_claims payment_claim[]) RETURNS text[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT c.id FROM unnest(p_claims) AS c);
BEGIN
  PERFORM payment_lock(ids);
  UPDATE payment p
    SET dispatched_at = coalesce(p.dispatched_at, clock_timestamp()), dispatch_token = x.token, not_found_at = NULL,
      not_found_anew = false
    FROM (SELECT DISTINCT ON (a.id) a.id, a.token FROM unnest(p_claims) WITH ORDINALITY AS a
      ORDER BY a.id, a.ordinality) AS x
   WHERE p.id = x.id AND p.id = ANY (ids) AND p.state = 'in_flight'
     AND (p.dispatched_at IS NULL OR p.dispatch_token = x.token);
  RETURN ARRAY(SELECT CASE WHEN p.state = 'in_flight' AND p.dispatch_token = a.token THEN 'taken' ELSE 'refused' END
    FROM unnest(p_claims) WITH ORDINALITY AS a LEFT JOIN payment p ON p.id = a.id AND p.id = ANY (ids)
   ORDER BY a.ordinality);
END $$;

-- They were sent, whatever the node no longer knows later.
CREATE OR REPLACE FUNCTION payment_seen(p_id uuid[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM payment_lock(p_id);
  UPDATE payment p SET seen_in_flight = true, not_found_at = NULL, not_found_anew = false
    WHERE p.id = ANY (p_id) AND p.state = 'in_flight' AND NOT p.seen_in_flight;
END $$;

CREATE OR REPLACE FUNCTION payment_disconnected(p_id uuid[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  PERFORM payment_lock(p_id);
  UPDATE payment p SET disconnected_at = clock_timestamp()
    WHERE p.id = ANY (p_id) AND p.state = 'in_flight' AND p.disconnected_at IS NULL;
END $$;

-- A sign of life of a process that sends payments.
CREATE OR REPLACE FUNCTION payment_dispatcher_note(p_id uuid, p_session_pid integer) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  INSERT INTO payment_dispatcher AS d (id, session_pid) VALUES (p_id, p_session_pid)
    ON CONFLICT (id) DO UPDATE SET session_pid = p_session_pid, seen_at = now()
$$;

-- Nothing of the request can still leave its sender: its call has ended with its connection, or its process has died.
-- A process that stands still keeps its session, and one that has lost it, as at a failover, gives signs of life.
-- The token of a dispatch begins with the id of its process. Of one without a row, as of 0.3.0, nothing is known.
CREATE OR REPLACE FUNCTION payment_sender_is_gone(p payment, p_silent_seconds integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT p.dispatched_at IS NOT NULL AND NOT p.seen_in_flight AND (p.disconnected_at IS NOT NULL
    OR EXISTS (SELECT FROM payment_dispatcher d
      WHERE d.id = overlay(p.dispatch_token::text PLACING '000000000000' FROM 25)::uuid
        AND d.seen_at < now() - make_interval(secs => p_silent_seconds)
        AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objid = 0 AND l.objsubid = 2
          AND l.classid = lock_key('processes')::oid AND l.pid = d.session_pid)))
$$;

-- The older a payment, the more rarely its node is asked. A time beyond the longest pause was written while the clock
-- was ahead.
CREATE OR REPLACE FUNCTION payment_due(p_limit integer, p_first_after_seconds integer) RETURNS SETOF payment
LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE payment
    SET checks = checks + 1, next_check_at = now() + make_interval(secs => least(300, power(2, least(checks, 9))))
   WHERE id IN (SELECT id FROM payment
     WHERE state = 'in_flight' AND kind <> 'onchain'
       AND (next_check_at <= now() OR next_check_at > now() + interval '5 minutes')
       AND (created_at <= now() - make_interval(secs => p_first_after_seconds)
         OR created_at > now() + interval '5 minutes')
     ORDER BY next_check_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  RETURNING *
$$;

-- The node does not know this payment (p_said 'not_found'), or knows only a failed attempt of its hash ('failed'),
-- which may be an earlier one. One report is never enough: a payment may be stuck on its way for longer than its lease.
--   held: wait; also if the node has reported it in flight: what it no longer knows may have been paid
--   unsent: never dispatched, and reported twice, a lease apart: end it with payment_finish('unsent')
--   failed: it was dispatched, no attempt before it was, and 'failed' came a lease after the first report
--   lost: dispatched, and reported for p_not_found_seconds, each time over a connection that was opened after its
--     sender was gone (p_is_anew), or each time over others. A restored or pruned node reports so of payments it has
--     made: check its index, then use payment_finish('lost')
CREATE OR REPLACE FUNCTION payment_not_found_v2(p_id uuid, p_said text, p_is_anew boolean, p_lease_seconds integer,
  p_not_found_seconds double precision) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  lease CONSTANT interval := make_interval(secs => p_lease_seconds);
  found payment; verdict text; patience interval;
BEGIN
  SELECT * INTO found FROM payment WHERE id = p_id AND state = 'in_flight' AND NOT seen_in_flight FOR NO KEY UPDATE;
  IF found.id IS NULL THEN RETURN 'held'; END IF;
  verdict := CASE
    WHEN found.dispatched_at IS NULL THEN 'unsent'
    WHEN p_said = 'failed'
      AND NOT EXISTS (SELECT FROM payment e
        WHERE e.payment_hash = found.payment_hash AND e.state = 'failed' AND e.dispatched_at IS NOT NULL) THEN 'failed'
    ELSE 'lost' END;
  patience := CASE verdict WHEN 'lost' THEN greatest(lease, make_interval(secs => p_not_found_seconds)) ELSE lease END;
  -- A sender that was thought to be gone and lives, or the reverse: the answers so far prove nothing of the other kind.
  -- Nor does one of the future, from when the clock was ahead.
  IF found.not_found_at IS NULL OR found.not_found_at > now() OR p_is_anew <> found.not_found_anew THEN
    UPDATE payment SET not_found_at = now(), not_found_anew = p_is_anew,
        next_check_at = now() + least(patience, interval '5 minutes')
      WHERE id = p_id;
    RETURN 'held';
  END IF;
  RETURN CASE WHEN found.not_found_at <= now() - patience
    AND (found.created_at <= now() - lease OR found.created_at > now()) THEN verdict ELSE 'held' END;
END $$;

CREATE OR REPLACE FUNCTION payment_resolve_v2(p_id uuid, p_state text, p_fee numeric, p_preimage text, p_node text,
  p_who text, p_because text, OUT code text, OUT loss bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT f.code, f.loss_msat INTO code, loss
    FROM payment_finish(ARRAY[ROW(p_id, p_state, p_fee, p_preimage,
      CASE p_state WHEN 'failed' THEN 'operator' END)::payment_resolution]) AS f;
  IF code IN ('finished', 'overtaken') THEN
    PERFORM operator_action_add(p_who, 'payment resolve', p_id::text, p_because,
      jsonb_build_object('state', p_state, 'feeMsat', p_fee::text, 'preimage', p_preimage, 'code', code, 'lossMsat',
        loss::text, 'node', p_node));
  END IF;
END $$;
