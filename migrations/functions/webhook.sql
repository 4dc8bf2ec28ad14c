-- A waiting delivery has a job, whose owner chose the URL: of the class 'webhook', or of 'webhook_anonymous' where a
-- caller without a credential did; with '_later' for repeats, replays, and webhooks of expired invoices.
-- Lock order: the job, the endpoint, its deliveries, the owner in line.

-- p_api_key: of the key that adds it; null: the account itself.
CREATE OR REPLACE FUNCTION webhook_endpoint_add_v2(p_id uuid, p_account uuid, p_url text, p_secret bytea, p_max integer,
  p_api_key uuid) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
  -- A statement of its own sees what the call before has committed.
  INSERT INTO webhook_endpoint (id, account_id, url, secret, api_key_id)
  SELECT p_id, p_account, p_url, p_secret, p_api_key
    WHERE (SELECT count(*) FROM webhook_endpoint e WHERE e.account_id = p_account) < p_max;
  RETURN FOUND;
END $$;

-- Beyond p_max_waiting, and while the endpoint is disabled, a delivery ends as failed at once: its owner sees it, and
-- may replay it. The key of its job is the delivery: a replay replaces what is left of the job of one that was ended.
CREATE OR REPLACE FUNCTION webhook_enqueue(p_account uuid, p_event_type text, p_body text, p_max_waiting integer)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_row webhook_endpoint;
  v_id uuid;
  v_refusal text;
BEGIN
  IF NOT EXISTS (SELECT FROM account a WHERE a.id = p_account AND a.level <> 'ZERO') THEN RETURN; END IF;
  FOR v_row IN SELECT e.* FROM webhook_endpoint e WHERE e.account_id = p_account ORDER BY e.id FOR NO KEY UPDATE LOOP
    v_id := gen_random_uuid();
    v_refusal := CASE WHEN v_row.disabled_at IS NOT NULL THEN 'endpoint_disabled'
      WHEN v_row.waiting >= p_max_waiting THEN 'queue_full' END;
    UPDATE webhook_endpoint e SET sequence = v_row.sequence + 1, waiting = v_row.waiting + (v_refusal IS NULL)::integer
     WHERE e.id = v_row.id;
    INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, state, next_at, ended_at, last_error)
    VALUES (v_id, v_row.id, v_row.sequence + 1, p_event_type, p_body,
            CASE WHEN v_refusal IS NULL THEN 'waiting' ELSE 'failed' END,
            CASE WHEN v_refusal IS NULL THEN clock_timestamp() END,
            CASE WHEN v_refusal IS NOT NULL THEN clock_timestamp() END, v_refusal);
    CONTINUE WHEN v_refusal IS NOT NULL;
    PERFORM job_add('webhook', p_account::text, 'webhook', jsonb_build_object('delivery', v_id), v_id::text);
  END LOOP;
END $$;

-- A single invoice has an endpoint of its own, without an account and a secret. False: too many webhooks of this owner
-- wait, or of too many callers without a credential: an attacker may have thousands of addresses. Half as many may wait
-- of expired invoices: they cost their caller nothing, and must not displace those of paid ones. Concurrent calls may
-- exceed both bounds.
CREATE OR REPLACE FUNCTION webhook_enqueue_once(
  p_owner uuid, p_is_anonymous boolean, p_wallet uuid, p_url text, p_event_type text, p_body text, p_is_later boolean
) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint CONSTANT uuid := gen_random_uuid();
  v_id CONSTANT uuid := gen_random_uuid();
  v_class CONSTANT text := CASE WHEN p_is_anonymous THEN 'webhook_anonymous' ELSE 'webhook' END;
  v_classes CONSTANT text[] := ARRAY[v_class, v_class || '_later'];
  v_share CONSTANT integer := CASE WHEN p_is_later THEN 2 ELSE 1 END;
  v_max_waiting CONSTANT integer := CASE WHEN p_is_anonymous THEN 1000 ELSE 10000 END / v_share;
  v_max_owners CONSTANT integer := 1000 / v_share;
BEGIN
  IF (SELECT count(*) FROM job j WHERE j.class = ANY (v_classes) AND j.owner = p_owner::text AND NOT j.is_failed)
    >= v_max_waiting THEN
    RETURN false;
  END IF;
  IF p_is_anonymous
    AND NOT EXISTS (SELECT FROM job_owner o WHERE o.class = ANY (v_classes) AND o.owner = p_owner::text)
    AND (SELECT count(DISTINCT o.owner) FROM job_owner o WHERE o.class = ANY (v_classes)) >= v_max_owners THEN
    RETURN false;
  END IF;
  INSERT INTO webhook_endpoint (id, wallet_id, url, sequence, waiting) VALUES (v_endpoint, p_wallet, p_url, 1, 1);
  INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, next_at)
  VALUES (v_id, v_endpoint, 1, p_event_type, p_body, clock_timestamp());
  PERFORM job_add(v_classes[1 + p_is_later::integer], p_owner::text, 'webhook', jsonb_build_object('delivery', v_id));
  RETURN true;
END $$;

-- What waits ends too, and its jobs find nothing to send. A test or replay that gets 410 again does not move the time
-- since which deliveries are missed. The caller has locked the endpoint.
CREATE OR REPLACE FUNCTION webhook_disable(p_endpoint uuid) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE webhook_delivery d
     SET state = 'failed', next_at = NULL, ended_at = clock_timestamp(), last_error = 'endpoint_disabled'
   WHERE d.endpoint_id = p_endpoint AND d.state = 'waiting';
  UPDATE webhook_endpoint e SET waiting = 0, disabled_at = coalesce(e.disabled_at, clock_timestamp())
   WHERE e.id = p_endpoint;
$$;

-- The end of an attempt; p_status is null without a response. Returns the new state; null: another process has the
-- claim, or the endpoint was deleted. There are nine attempts within two days; callers without a credential get four
-- within 36 minutes. p_retry_after: the seconds that the server asks for, else 0; up to a day of them are kept, and of
-- callers without a credential, whose jobs take places of others, half an hour.
-- 410 disables the endpoint of an account. That of an invoice has no owner who could enable it.
CREATE OR REPLACE FUNCTION webhook_finish_v2(
  p_delivery uuid, p_job bigint, p_claim uuid, p_status integer, p_error text, p_retry_after integer
) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_pauses integer[] := ARRAY[5, 300, 1800, 7200, 18000, 36000, 50400, 72000];  -- seconds
  v_job job;
  v_endpoint webhook_endpoint;
  v_is_delivered CONSTANT boolean := coalesce(p_status BETWEEN 200 AND 299, false);
  v_max_pause integer := 86400;
  v_was_waiting boolean;
  v_is_gone boolean;
  v_pause integer;
  v_state text;
BEGIN
  SELECT * INTO v_job FROM job j WHERE j.id = p_job AND j.claim = p_claim FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT e.* INTO v_endpoint FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id
   WHERE d.id = p_delivery FOR NO KEY UPDATE OF e;
  -- It is not where the endpoint was disabled during the attempt. A statement of its own sees what that has committed.
  v_was_waiting := EXISTS (SELECT FROM webhook_delivery d WHERE d.id = p_delivery AND d.state = 'waiting');
  v_is_gone := v_endpoint.account_id IS NOT NULL AND coalesce(p_status = 410, false);
  IF v_job.class LIKE 'webhook_anonymous%' THEN v_pauses := v_pauses[:3]; v_max_pause := 1800; END IF;
  IF v_was_waiting AND NOT v_is_delivered AND NOT v_is_gone AND v_endpoint.disabled_at IS NULL THEN
    v_pause := v_pauses[v_job.attempts];
    IF v_pause < p_retry_after THEN v_pause := greatest(v_pause, least(p_retry_after, v_max_pause)); END IF;
  END IF;
  v_state := CASE WHEN v_is_delivered THEN 'delivered' WHEN v_pause IS NULL THEN 'failed' ELSE 'waiting' END;
  UPDATE webhook_delivery d
     SET state = v_state, attempts = d.attempts + 1, last_status = p_status,
         last_error = CASE WHEN NOT v_is_delivered THEN p_error END,
         next_at = clock_timestamp() + make_interval(secs => v_pause), last_attempt_at = clock_timestamp(),
         ended_at = CASE WHEN v_pause IS NULL THEN clock_timestamp() END
   WHERE d.id = p_delivery;
  IF v_pause IS NULL AND v_endpoint.account_id IS NULL THEN
    -- An invoice's endpoint has no owner who could see it or replay it.
    DELETE FROM webhook_endpoint e WHERE e.id = v_endpoint.id;
  ELSE
    UPDATE webhook_endpoint e
       SET waiting = e.waiting - (v_pause IS NULL AND v_was_waiting)::integer, last_attempt_at = clock_timestamp(),
           last_status = p_status, last_error = CASE WHEN NOT v_is_delivered THEN p_error END,
           failing_since = CASE WHEN NOT v_is_delivered THEN coalesce(e.failing_since, clock_timestamp()) END
     WHERE e.id = v_endpoint.id;
    IF v_is_gone THEN PERFORM webhook_disable(v_endpoint.id); END IF;
  END IF;
  PERFORM job_end(p_job, p_claim, v_pause, NULL, v_job.attempts, replace(v_job.class, '_later', '') || '_later');
  RETURN CASE WHEN v_endpoint.id IS NOT NULL THEN v_state END;
END $$;

-- Of a disabled endpoint, a replay is one attempt. What waits is sent now.
-- 'replayed' | 'not_found' | 'waiting': an attempt is in flight | 'too_many'
CREATE OR REPLACE FUNCTION webhook_replay(p_account uuid, p_delivery uuid, p_max_waiting integer) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_endpoint uuid;
  v_waiting integer;
  v_is_running boolean;  -- null: it has no job
  v_has_ended boolean;
BEGIN
  SELECT j.claim IS NOT NULL AND j.run_at > clock_timestamp() INTO v_is_running
    FROM job j WHERE j.task = 'webhook' AND j.key = p_delivery::text FOR UPDATE;
  SELECT e.id, e.waiting INTO v_endpoint, v_waiting
    FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id
   WHERE e.account_id = p_account AND d.id = p_delivery FOR NO KEY UPDATE OF e;
  IF v_endpoint IS NULL THEN RETURN 'not_found'; END IF;
  v_has_ended := EXISTS (SELECT FROM webhook_delivery d WHERE d.id = p_delivery AND d.state <> 'waiting');
  IF coalesce(v_is_running, NOT v_has_ended) THEN RETURN 'waiting'; END IF;
  IF v_has_ended AND v_waiting >= p_max_waiting THEN RETURN 'too_many'; END IF;
  UPDATE webhook_delivery d
     SET state = 'waiting', next_at = clock_timestamp(), ended_at = NULL,
         last_error = CASE WHEN d.attempts > 0 THEN d.last_error END
   WHERE d.id = p_delivery;
  UPDATE webhook_endpoint e SET waiting = e.waiting + v_has_ended::integer WHERE e.id = v_endpoint;
  PERFORM job_add('webhook_later', p_account::text, 'webhook', jsonb_build_object('delivery', p_delivery),
    p_delivery::text);
  RETURN 'replayed';
END $$;

-- A delivery that has ended unsent, and is replayed.
CREATE OR REPLACE FUNCTION webhook_test(p_account uuid, p_endpoint uuid, p_max_waiting integer) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_id CONSTANT uuid := gen_random_uuid();
BEGIN
  WITH tested AS (
    UPDATE webhook_endpoint e SET sequence = e.sequence + 1
     WHERE e.id = p_endpoint AND e.account_id = p_account RETURNING e.id, e.sequence)
  INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, state, ended_at, last_error)
  SELECT v_id, t.id, t.sequence, 'webhook.test',
         json_build_object('accountId', p_account, 'eventType', 'webhook.test'), 'failed', clock_timestamp(),
         'queue_full'
    FROM tested t;
  RETURN webhook_replay(p_account, v_id, p_max_waiting);
END $$;
