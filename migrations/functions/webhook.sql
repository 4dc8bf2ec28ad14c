-- Deliveries to the endpoints of customers. An endpoint makes one first attempt at a time, in the order of its sequence, and one repeated attempt
-- beside it. `due_at` of the endpoint is when one of them is due, so that a process finds what is due without reading deliveries.
-- Lock order: the endpoint, then its deliveries.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- When the next attempt of an endpoint is due: not before now, so that an endpoint with much to do comes after the others. The caller has locked it.
CREATE OR REPLACE FUNCTION webhook_schedule(p_endpoint uuid) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE webhook_endpoint e SET due_at = CASE WHEN next.at IS NOT NULL THEN greatest(next.at, clock_timestamp()) END
    FROM (SELECT least(
            (SELECT d.next_at FROM webhook_delivery d WHERE d.endpoint_id = p_endpoint AND d.state = 'waiting' AND d.attempts = 0 ORDER BY d.sequence LIMIT 1),
            -- An attempt that a process makes now ends at the end of its claim at the latest; the other repeated ones wait for it.
            coalesce((SELECT max(d.next_at) FROM webhook_delivery d
                       WHERE d.endpoint_id = p_endpoint AND d.state = 'waiting' AND d.attempts > 0 AND d.claim IS NOT NULL),
                     (SELECT min(d.next_at) FROM webhook_delivery d WHERE d.endpoint_id = p_endpoint AND d.state = 'waiting' AND d.attempts > 0))) AS at) next
   WHERE e.id = p_endpoint
$$;

-- One delivery for each endpoint of the account, in the caller's transaction. Beyond p_max_waiting a delivery ends as failed at once: its owner sees
-- it, and may replay it. An account of level ZERO has no deliveries.
CREATE OR REPLACE FUNCTION webhook_enqueue(p_account uuid, p_event_type text, p_body text, p_max_waiting integer) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_row webhook_endpoint;
  v_has_room boolean;
BEGIN
  FOR v_row IN SELECT e.* FROM webhook_endpoint e JOIN account a ON a.id = e.account_id
                WHERE e.account_id = p_account AND a.level <> 'ZERO' ORDER BY e.id FOR NO KEY UPDATE OF e LOOP
    v_has_room := v_row.waiting < p_max_waiting;
    UPDATE webhook_endpoint e
       SET sequence = v_row.sequence + 1, waiting = v_row.waiting + v_has_room::integer,
           due_at = CASE WHEN v_has_room THEN least(v_row.due_at, clock_timestamp()) ELSE v_row.due_at END
     WHERE e.id = v_row.id;
    INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, state, next_at, ended_at, last_error)
    VALUES (gen_random_uuid(), v_row.id, v_row.sequence + 1, p_event_type, p_body, CASE WHEN v_has_room THEN 'waiting' ELSE 'failed' END,
            CASE WHEN v_has_room THEN clock_timestamp() END, CASE WHEN NOT v_has_room THEN clock_timestamp() END,
            CASE WHEN NOT v_has_room THEN 'queue_full' END);
  END LOOP;
END $$;

-- The webhook of a single invoice: an endpoint of its own with one delivery, without an account and a secret. False: p_max_waiting webhooks of
-- invoices of this wallet wait, and this one is not made.
CREATE OR REPLACE FUNCTION webhook_enqueue_once(p_wallet uuid, p_url text, p_event_type text, p_body text, p_max_waiting integer) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint CONSTANT uuid := gen_random_uuid();
BEGIN
  IF (SELECT count(*) FROM webhook_endpoint e WHERE e.wallet_id = p_wallet) >= p_max_waiting THEN RETURN false; END IF;
  INSERT INTO webhook_endpoint (id, wallet_id, url, sequence, waiting, due_at) VALUES (v_endpoint, p_wallet, p_url, 1, 1, clock_timestamp());
  INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, next_at)
  VALUES (gen_random_uuid(), v_endpoint, 1, p_event_type, p_body, clock_timestamp());
  RETURN true;
END $$;

-- Claims the attempts that are due, of p_endpoints at most and of no account in p_without, for p_seconds: after that another process may make them
-- again. The webhooks of invoices count by their wallet, as if it were another account: callers without a credential choose their URLs.
CREATE OR REPLACE FUNCTION webhook_claim(p_endpoints integer, p_seconds integer, p_without uuid[]) RETURNS SETOF webhook_delivery LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint uuid;
  v_first uuid;
  v_retry uuid;
BEGIN
  FOR v_endpoint IN SELECT e.id FROM webhook_endpoint e WHERE e.due_at <= clock_timestamp() AND coalesce(e.account_id, e.wallet_id) <> ALL (p_without)
                     ORDER BY e.due_at LIMIT p_endpoints
                       FOR NO KEY UPDATE SKIP LOCKED LOOP
    SELECT d.id INTO v_first FROM webhook_delivery d WHERE d.endpoint_id = v_endpoint AND d.state = 'waiting' AND d.attempts = 0 ORDER BY d.sequence LIMIT 1;
    SELECT d.id INTO v_retry FROM webhook_delivery d
     WHERE d.endpoint_id = v_endpoint AND d.state = 'waiting' AND d.attempts > 0
       AND NOT EXISTS (SELECT FROM webhook_delivery o WHERE o.endpoint_id = v_endpoint AND o.state = 'waiting' AND o.attempts > 0
                                                        AND o.claim IS NOT NULL AND o.next_at > clock_timestamp())
     ORDER BY d.next_at LIMIT 1;
    RETURN QUERY UPDATE webhook_delivery d SET claim = gen_random_uuid(), next_at = clock_timestamp() + make_interval(secs => p_seconds)
                  WHERE d.id IN (v_first, v_retry) AND d.next_at <= clock_timestamp() RETURNING d.*;
    PERFORM webhook_schedule(v_endpoint);
  END LOOP;
END $$;

-- Stores how a claimed attempt ended. p_pause_seconds: until the next attempt; null: it was the last one. Null: the claim has passed to another process,
-- or the endpoint was deleted; else the delivery's state.
CREATE OR REPLACE FUNCTION webhook_finish(p_delivery uuid, p_claim uuid, p_is_delivered boolean, p_status integer, p_error text, p_pause_seconds integer)
RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint uuid;
  v_state text;
BEGIN
  SELECT e.id INTO v_endpoint FROM webhook_endpoint e
   WHERE e.id = (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.id = p_delivery) FOR NO KEY UPDATE;
  UPDATE webhook_delivery d
     SET state = CASE WHEN p_is_delivered THEN 'delivered' WHEN p_pause_seconds IS NULL THEN 'failed' ELSE 'waiting' END,
         attempts = d.attempts + 1, failures = d.failures + (NOT p_is_delivered)::integer, claim = NULL,
         next_at = CASE WHEN NOT p_is_delivered THEN clock_timestamp() + make_interval(secs => p_pause_seconds) END,
         ended_at = CASE WHEN p_is_delivered OR p_pause_seconds IS NULL THEN clock_timestamp() END,
         last_status = p_status, last_error = p_error, last_attempt_at = clock_timestamp()
   WHERE d.id = p_delivery AND d.claim = p_claim RETURNING d.state INTO v_state;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_state <> 'waiting' THEN
    -- That of an invoice has no owner who could see it or replay it.
    DELETE FROM webhook_endpoint e WHERE e.id = v_endpoint AND e.account_id IS NULL;
    UPDATE webhook_endpoint e SET waiting = e.waiting - 1 WHERE e.id = v_endpoint;
  END IF;
  PERFORM webhook_schedule(v_endpoint);
  RETURN v_state;
END $$;

-- Gives a claim back whose attempt was not made.
CREATE OR REPLACE FUNCTION webhook_release(p_delivery uuid, p_claim uuid, p_pause_seconds integer) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint uuid;
BEGIN
  SELECT e.id INTO v_endpoint FROM webhook_endpoint e
   WHERE e.id = (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.id = p_delivery) FOR NO KEY UPDATE;
  UPDATE webhook_delivery d SET claim = NULL, next_at = clock_timestamp() + make_interval(secs => p_pause_seconds)
   WHERE d.id = p_delivery AND d.claim = p_claim;
  PERFORM webhook_schedule(v_endpoint);
END $$;

-- Delivers again what has ended, beside the first attempts of the endpoint. 'replayed' | 'not_found' | 'waiting': it has not ended | 'too_many': p_max_waiting wait.
CREATE OR REPLACE FUNCTION webhook_replay(p_account uuid, p_delivery uuid, p_max_waiting integer) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  v_row webhook_endpoint;
BEGIN
  SELECT e.* INTO v_row FROM webhook_endpoint e
   WHERE e.account_id = p_account AND e.id = (SELECT d.endpoint_id FROM webhook_delivery d WHERE d.id = p_delivery) FOR NO KEY UPDATE;
  IF v_row.id IS NULL THEN RETURN 'not_found'; END IF;
  IF v_row.waiting >= p_max_waiting THEN RETURN 'too_many'; END IF;
  -- With an attempt behind it, it is none of the first attempts, whose order it would hold up.
  UPDATE webhook_delivery d SET state = 'waiting', attempts = greatest(d.attempts, 1), failures = 0, next_at = clock_timestamp(), ended_at = NULL
   WHERE d.id = p_delivery AND d.state <> 'waiting';
  IF NOT FOUND THEN RETURN 'waiting'; END IF;
  UPDATE webhook_endpoint e SET waiting = e.waiting + 1 WHERE e.id = v_row.id;
  PERFORM webhook_schedule(v_row.id);
  RETURN 'replayed';
END $$;
