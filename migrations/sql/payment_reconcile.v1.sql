-- How a payment goes to the node, and what becomes of one whose end is not known. Each locks payments by id.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Notes that these payments go to the node next. A dispatcher names its one attempt to send by p_token, which no other has: whose answer was
-- lost asks again with the same one. Answers per payment:
--   taken    the caller alone may send it. A repeat is told so too: it has not sent it, for it sends nothing that it was not told to
--   refused  it has ended meanwhile, or another dispatcher has it: it is not sent
--   locked   another transaction holds it (only where p_skip_locked asks for that): ask again
-- When the answer is lost, nothing is sent. A statement that arrives after its repeat moves dispatched_at no more: it stays before the call.
CREATE FUNCTION payment_dispatch(p_id uuid[], p_token uuid[], p_skip_locked boolean) RETURNS text[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  free CONSTANT uuid[] := payment_lock(p_id, p_skip_locked);
BEGIN
  UPDATE payment p SET dispatched_at = coalesce(p.dispatched_at, clock_timestamp()), dispatch_token = x.token, not_found_at = NULL
    FROM (SELECT DISTINCT ON (a.id) a.id, a.token FROM unnest(p_id, p_token) WITH ORDINALITY AS a(id, token, n) ORDER BY a.id, a.n) AS x
   WHERE p.id = x.id AND p.id = ANY (free) AND p.state = 'in_flight' AND (p.dispatched_at IS NULL OR p.dispatch_token = x.token);
  RETURN ARRAY(SELECT CASE WHEN p.id IS NULL THEN 'refused' WHEN p.id <> ALL (free) THEN 'locked'
                           WHEN p.state = 'in_flight' AND p.dispatch_token = a.token THEN 'taken' ELSE 'refused' END
                 FROM unnest(p_id, p_token) WITH ORDINALITY AS a(id, token, n) LEFT JOIN payment p ON p.id = a.id AND p.id = ANY (p_id) ORDER BY a.n);
END $$;

-- The node has said that it has these payments under way: whatever it does not know later, it was sent. Answers per payment: noted, or
-- locked, as payment_dispatch has it.
CREATE FUNCTION payment_seen(p_id uuid[], p_skip_locked boolean) RETURNS text[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  free CONSTANT uuid[] := payment_lock(p_id, p_skip_locked);
BEGIN
  UPDATE payment p SET seen_in_flight = true, not_found_at = NULL WHERE p.id = ANY (free) AND p.state = 'in_flight' AND NOT p.seen_in_flight;
  RETURN ARRAY(SELECT CASE WHEN p_skip_locked AND a.id <> ALL (free) THEN 'locked' ELSE 'noted' END FROM unnest(p_id) WITH ORDINALITY AS a(id, n) ORDER BY a.n);
END $$;

-- Payments whose node should be asked now: claimed for the caller, others pass them by. The older a payment, the more rarely its node is asked.
CREATE FUNCTION payment_due(p_limit integer, p_first_after_seconds integer) RETURNS SETOF payment LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE payment SET checks = checks + 1, next_check_at = now() + make_interval(secs => least(300, power(2, least(checks, 9))))
   WHERE id IN (SELECT id FROM payment WHERE state = 'in_flight' AND next_check_at <= now() AND created_at <= now() - make_interval(secs => p_first_after_seconds)
                 ORDER BY next_check_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  RETURNING *
$$;

-- The node does not know this payment (p_said 'not_found'), or knows only that an attempt of its hash has failed ('failed'), which may have
-- been an earlier one. That is never believed at once: what was handed over may stand still on its way for longer than its lease. Verdicts:
--   held    wait; also of one that the node was seen to have: what it has forgotten since may have been paid
--   unsent  never dispatched, and said twice, a lease apart: end it with payment_finish('unsent')
--   failed  it was dispatched, no attempt before it was, and 'failed' was said twice, a lease apart: it is about this one
--   lost    dispatched, and said for p_not_found_seconds. A node that was restored or pruned says that of a payment that it has made too:
--           look at the node's payment index, then end it with payment_finish('lost')
CREATE FUNCTION payment_not_found(p_id uuid, p_said text, p_lease_seconds integer, p_not_found_seconds double precision) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  lease CONSTANT interval := make_interval(secs => p_lease_seconds);
  found payment; verdict text; patience interval;
BEGIN
  SELECT * INTO found FROM payment WHERE id = p_id AND state = 'in_flight' AND NOT seen_in_flight FOR NO KEY UPDATE;
  IF found.id IS NULL THEN RETURN 'held'; END IF;
  verdict := CASE
    WHEN found.dispatched_at IS NULL THEN 'unsent'
    WHEN p_said = 'failed' AND NOT EXISTS (SELECT FROM payment e WHERE e.payment_hash = found.payment_hash AND e.state = 'failed' AND e.dispatched_at IS NOT NULL) THEN 'failed'
    ELSE 'lost' END;
  patience := CASE verdict WHEN 'lost' THEN greatest(lease, make_interval(secs => p_not_found_seconds)) ELSE lease END;
  IF found.not_found_at IS NULL THEN
    UPDATE payment SET not_found_at = now(), next_check_at = now() + least(patience, interval '5 minutes') WHERE id = p_id;
    RETURN 'held';
  END IF;
  RETURN CASE WHEN found.not_found_at <= now() - patience AND found.created_at <= now() - lease THEN verdict ELSE 'held' END;
END $$;

-- What an operator knows of a payment ends it, and is written down with who and why. Answers as payment_finish does.
CREATE FUNCTION payment_resolve(p_id uuid, p_state text, p_fee numeric, p_preimage text, p_who text, p_because text, OUT code text, OUT loss bigint) LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  SELECT f.codes[1], f.losses[1] INTO code, loss
    FROM payment_finish(ARRAY[p_id], ARRAY[p_state], ARRAY[p_fee], ARRAY[p_preimage], ARRAY[CASE p_state WHEN 'failed' THEN 'operator' END], false) AS f;
  IF code IN ('finished', 'overtaken') THEN
    INSERT INTO operator_action (who, action, subject, because, details)
      VALUES (p_who, 'payment resolve', p_id, p_because, jsonb_build_object('state', p_state, 'feeMsat', p_fee::text, 'preimage', p_preimage, 'code', code, 'lossMsat', loss::text));
  END IF;
END $$;
