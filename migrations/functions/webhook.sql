-- Deliveries to the endpoints of customers. An endpoint makes one first attempt at a time, in the order of its
-- sequence, and one later attempt beside it: a repeated one, a replay, or the webhook of an invoice that has expired.
-- These two are its next deliveries (`is_next`). The queue has the owners of deliveries in two lines, of first attempts
-- and of later ones. An owner has a turn of one attempt, and then goes to the end of the line, so that one with much to
-- do delays no other, and a process finds what is due without reading deliveries. Lock order: the owner in the queue,
-- the endpoint, its deliveries.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Puts an owner in line, unless it is there, and locks it.
CREATE OR REPLACE FUNCTION webhook_line_up(p_owner uuid, p_is_anonymous boolean, p_is_later boolean) RETURNS void
LANGUAGE sql
SET search_path FROM CURRENT AS $$
  INSERT INTO webhook_queue AS q (owner_id, is_anonymous, first_at, later_at)
  VALUES (p_owner, p_is_anonymous, CASE WHEN NOT p_is_later THEN clock_timestamp() END,
    CASE WHEN p_is_later THEN clock_timestamp() END)
  ON CONFLICT (owner_id) DO UPDATE
    SET first_at = least(q.first_at, excluded.first_at), later_at = least(q.later_at, excluded.later_at)
$$;

-- After its turn an owner goes to the end of the line; else it keeps its place. Without a delivery it leaves. The
-- caller has locked it.
CREATE OR REPLACE FUNCTION webhook_schedule(p_owner uuid, p_is_later boolean, p_had_turn boolean) RETURNS void
LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  -- While a process makes an attempt: when another one may make it again.
  v_next CONSTANT timestamptz := (SELECT min(d.next_at) FROM webhook_delivery d
    WHERE d.owner_id = p_owner AND d.is_later = p_is_later AND d.is_next);
  v_due CONSTANT timestamptz := CASE WHEN v_next IS NOT NULL THEN greatest(v_next, clock_timestamp()) END;
BEGIN
  IF p_is_later THEN
    UPDATE webhook_queue q
      SET later_at = CASE WHEN p_had_turn OR v_due IS NULL THEN v_due ELSE least(q.later_at, v_due) END
      WHERE q.owner_id = p_owner;
  ELSE
    UPDATE webhook_queue q
      SET first_at = CASE WHEN p_had_turn OR v_due IS NULL THEN v_due ELSE least(q.first_at, v_due) END
      WHERE q.owner_id = p_owner;
  END IF;
  DELETE FROM webhook_queue q WHERE q.owner_id = p_owner AND q.first_at IS NULL AND q.later_at IS NULL;
END $$;

-- Chooses the next first delivery of an endpoint, or its next later one, and schedules its owner. The caller has locked
-- both.
CREATE OR REPLACE FUNCTION webhook_advance(p_owner uuid, p_endpoint uuid, p_is_later boolean) RETURNS void
LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_next uuid;
BEGIN
  -- An attempt that a process makes now is followed by others when it ends.
  IF NOT EXISTS (SELECT FROM webhook_delivery d
    WHERE d.endpoint_id = p_endpoint AND d.is_later = p_is_later AND d.is_next AND d.claim IS NOT NULL) THEN
    IF p_is_later THEN
      SELECT d.id INTO v_next FROM webhook_delivery d
        WHERE d.endpoint_id = p_endpoint AND d.state = 'waiting' AND d.is_later ORDER BY d.next_at LIMIT 1;
    ELSE
      SELECT d.id INTO v_next FROM webhook_delivery d
        WHERE d.endpoint_id = p_endpoint AND d.state = 'waiting' AND NOT d.is_later ORDER BY d.sequence LIMIT 1;
    END IF;
    UPDATE webhook_delivery d SET is_next = false
      WHERE d.endpoint_id = p_endpoint AND d.is_later = p_is_later AND d.is_next AND d.id <> v_next;
    -- Not due before now: the endpoint comes after the others of its owner.
    UPDATE webhook_delivery d SET is_next = true, next_at = greatest(d.next_at, clock_timestamp())
      WHERE d.id = v_next AND NOT d.is_next;
  END IF;
  PERFORM webhook_schedule(p_owner, p_is_later, false);
END $$;

-- Adds an endpoint, unless the account has p_max of them. Concurrent calls for an account wait for each other.
CREATE OR REPLACE FUNCTION webhook_endpoint_add(p_id uuid, p_account uuid, p_url text, p_secret bytea, p_max integer)
RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
  -- A statement of its own: it sees what the call before has committed.
  INSERT INTO webhook_endpoint (id, account_id, url, secret)
  SELECT p_id, p_account, p_url, p_secret
    WHERE (SELECT count(*) FROM webhook_endpoint e WHERE e.account_id = p_account) < p_max;
  RETURN FOUND;
END $$;

-- One delivery for each endpoint of the account, in the caller's transaction. Beyond p_max_waiting a delivery ends as
-- failed at once: its owner sees it, and may replay it. An account of level ZERO has no deliveries.
CREATE OR REPLACE FUNCTION webhook_enqueue(p_account uuid, p_event_type text, p_body text, p_max_waiting integer)
RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_row webhook_endpoint;
  v_has_room boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM account a WHERE a.id = p_account AND a.level <> 'ZERO') THEN RETURN; END IF;
  PERFORM webhook_line_up(p_account, false, false);
  FOR v_row IN SELECT e.* FROM webhook_endpoint e WHERE e.account_id = p_account ORDER BY e.id FOR NO KEY UPDATE LOOP
    v_has_room := v_row.waiting < p_max_waiting;
    UPDATE webhook_endpoint e SET sequence = v_row.sequence + 1, waiting = v_row.waiting + v_has_room::integer
      WHERE e.id = v_row.id;
    INSERT INTO webhook_delivery (id, endpoint_id, owner_id, sequence, event_type, body, state, is_next, next_at,
      ended_at, last_error)
    VALUES (gen_random_uuid(), v_row.id, p_account, v_row.sequence + 1, p_event_type, p_body,
      CASE WHEN v_has_room THEN 'waiting' ELSE 'failed' END, v_has_room
      AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.endpoint_id = v_row.id AND d.is_next AND NOT d.is_later),
      CASE WHEN v_has_room THEN clock_timestamp() END, CASE WHEN NOT v_has_room THEN clock_timestamp() END,
      CASE WHEN NOT v_has_room THEN 'queue_full' END);
  END LOOP;
END $$;

-- The webhook of a single invoice: an endpoint of its own with one delivery, without an account and a secret. False:
-- p_max_waiting webhooks of this owner wait, or it would be one more than p_max_owners (null: any number) of callers
-- without a credential, and this one is not made. Concurrent calls may exceed the owners by as many as they are.
CREATE OR REPLACE FUNCTION webhook_enqueue_once(
  p_owner uuid, p_is_anonymous boolean, p_wallet uuid, p_url text, p_event_type text, p_body text, p_is_later boolean,
    p_max_waiting integer, p_max_owners integer
) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint CONSTANT uuid := gen_random_uuid();
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_queue q WHERE q.owner_id = p_owner)
    AND (SELECT count(*) FROM webhook_queue q WHERE q.is_anonymous) >= p_max_owners THEN
    RETURN false;
  END IF;
  PERFORM webhook_line_up(p_owner, p_is_anonymous, p_is_later);
  IF (SELECT count(*) FROM webhook_delivery d WHERE d.owner_id = p_owner AND d.is_next) >= p_max_waiting THEN
    -- It is not in line for what was not made.
    PERFORM webhook_schedule(p_owner, p_is_later, true);
    RETURN false;
  END IF;
  INSERT INTO webhook_endpoint (id, wallet_id, url, sequence, waiting) VALUES (v_endpoint, p_wallet, p_url, 1, 1);
  INSERT INTO webhook_delivery (id, endpoint_id, owner_id, sequence, event_type, body, is_later, is_next, next_at)
  VALUES (gen_random_uuid(), v_endpoint, p_owner, 1, p_event_type, p_body, p_is_later, true, clock_timestamp());
  RETURN true;
END $$;

-- The statement that calls this function is committed without waiting for the disk: after a crash of PostgreSQL its
-- last tenths of a second may be lost. Attempts of that time are made again, with the same id; where the claim was kept
-- and only the end was lost, after the claim's time. An endpoint makes one attempt at a time, so each wait would delay
-- what follows.
CREATE OR REPLACE FUNCTION webhook_commit_soon() RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT set_config('synchronous_commit', 'off', true)
$$;

-- The turn of an owner that the caller has locked: claims the attempt that has been due for longest, for p_seconds.
-- After that another process may make it again. It returns what an attempt needs: the caller's statement may have begun
-- before the endpoint was made.
CREATE OR REPLACE FUNCTION webhook_claim(p_owner uuid, p_is_later boolean, p_seconds integer)
RETURNS TABLE (id uuid, endpoint_id uuid, sequence bigint, body text, failures integer, claim uuid, url text,
  secret bytea, previous_secret bytea)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_now CONSTANT timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
    UPDATE webhook_delivery d SET claim = gen_random_uuid(), next_at = v_now + make_interval(secs => p_seconds)
      FROM webhook_endpoint e
     WHERE e.id = d.endpoint_id AND d.id = (SELECT n.id FROM webhook_delivery n
            WHERE n.owner_id = p_owner AND n.is_later = p_is_later AND n.is_next AND n.next_at <= v_now
              ORDER BY n.next_at LIMIT 1)
    RETURNING d.id, d.endpoint_id, d.sequence, d.body, d.failures, d.claim, e.url, e.secret,
      CASE WHEN e.previous_until > v_now THEN e.previous_secret END;
  PERFORM webhook_schedule(p_owner, p_is_later, true);
  PERFORM webhook_commit_soon();
END $$;

-- Locks what a claimed delivery belongs to, and returns it: null if the claim has passed to another process, or the
-- endpoint was deleted.
CREATE OR REPLACE FUNCTION webhook_claimed(p_delivery uuid, p_claim uuid) RETURNS webhook_delivery LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_row webhook_delivery;
BEGIN
  PERFORM webhook_commit_soon();
  PERFORM FROM webhook_queue q WHERE q.owner_id = (SELECT d.owner_id FROM webhook_delivery d WHERE d.id = p_delivery)
    FOR NO KEY UPDATE;
  PERFORM FROM webhook_endpoint e WHERE e.id = (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.id = p_delivery)
    FOR NO KEY UPDATE;
  SELECT d.* INTO v_row FROM webhook_delivery d WHERE d.id = p_delivery AND d.claim = p_claim;
  RETURN v_row;
END $$;

-- Stores how a claimed attempt ended. p_pause_seconds: until the next attempt; null: it was the last one. Null: the
-- claim has passed to another process, or the endpoint was deleted; else the delivery's state.
CREATE OR REPLACE FUNCTION webhook_finish(p_delivery uuid, p_claim uuid, p_is_delivered boolean, p_status integer,
  p_error text, p_pause_seconds integer)
RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_row webhook_delivery;
  v_state CONSTANT text := CASE WHEN p_is_delivered THEN 'delivered' WHEN p_pause_seconds IS NULL THEN 'failed'
    ELSE 'waiting' END;
BEGIN
  v_row := webhook_claimed(p_delivery, p_claim);
  IF v_row.id IS NULL THEN RETURN NULL; END IF;
  UPDATE webhook_delivery d
     SET state = v_state, attempts = d.attempts + 1, failures = d.failures + (NOT p_is_delivered)::integer,
       claim = NULL,
         is_next = false, is_later = d.is_later OR v_state = 'waiting',
         next_at = CASE WHEN v_state = 'waiting' THEN clock_timestamp() + make_interval(secs => p_pause_seconds) END,
         ended_at = CASE WHEN v_state <> 'waiting' THEN clock_timestamp() END,
         last_status = p_status, last_error = p_error, last_attempt_at = clock_timestamp()
   WHERE d.id = p_delivery;
  IF v_state <> 'waiting' THEN
    -- That of an invoice has no owner who could see it or replay it.
    DELETE FROM webhook_endpoint e WHERE e.id = v_row.endpoint_id AND e.account_id IS NULL;
    UPDATE webhook_endpoint e SET waiting = e.waiting - 1 WHERE e.id = v_row.endpoint_id;
  END IF;
  IF NOT v_row.is_later AND v_state = 'waiting' THEN
    PERFORM webhook_advance(v_row.owner_id, v_row.endpoint_id, true);
  END IF;
  PERFORM webhook_advance(v_row.owner_id, v_row.endpoint_id, v_row.is_later);
  RETURN v_state;
END $$;

-- Gives a claim back whose attempt was not made.
CREATE OR REPLACE FUNCTION webhook_release(p_delivery uuid, p_claim uuid, p_pause_seconds integer) RETURNS void
LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_row CONSTANT webhook_delivery := webhook_claimed(p_delivery, p_claim);
BEGIN
  UPDATE webhook_delivery d SET claim = NULL, next_at = clock_timestamp() + make_interval(secs => p_pause_seconds)
    WHERE d.id = v_row.id;
  PERFORM webhook_advance(v_row.owner_id, v_row.endpoint_id, v_row.is_later);
END $$;

-- Delivers again what has ended, beside the first attempts of the endpoint. 'replayed' | 'not_found' | 'waiting': it
-- has not ended | 'too_many': p_max_waiting wait.
CREATE OR REPLACE FUNCTION webhook_replay(p_account uuid, p_delivery uuid, p_max_waiting integer) RETURNS text
LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint CONSTANT uuid := (SELECT e.id FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id
    WHERE e.account_id = p_account AND d.id = p_delivery);
  v_waiting integer;
BEGIN
  IF v_endpoint IS NULL THEN RETURN 'not_found'; END IF;
  PERFORM webhook_line_up(p_account, false, true);
  SELECT e.waiting INTO v_waiting FROM webhook_endpoint e WHERE e.id = v_endpoint FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'not_found'; END IF;
  IF v_waiting >= p_max_waiting THEN RETURN 'too_many'; END IF;
  UPDATE webhook_delivery d
    SET state = 'waiting', is_later = true, failures = 0, next_at = clock_timestamp(), ended_at = NULL
   WHERE d.id = p_delivery AND d.state <> 'waiting';
  IF NOT FOUND THEN RETURN 'waiting'; END IF;
  UPDATE webhook_endpoint e SET waiting = e.waiting + 1 WHERE e.id = v_endpoint;
  PERFORM webhook_advance(p_account, v_endpoint, true);
  RETURN 'replayed';
END $$;
