-- A payment of a key or app that asks its owner first. Its id is that of its row in the history, and of the payment:
-- approved twice, or again after a crash, it is made once. Each step locks the account, as payment_begin does: whatever
-- is approved, denied, expired or begun at once happens in one order.

-- What payment_begin_known makes of it in the place of a payment; null: there is none, or it is approved, and begins.
CREATE OR REPLACE FUNCTION payment_approval_known(w payment_approval, p_wallet uuid, p_hash text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN w.id IS NULL THEN NULL
    WHEN w.wallet_id <> p_wallet OR w.payment_hash IS DISTINCT FROM p_hash THEN 'other'
    WHEN w.state = 'waiting' THEN 'waiting' WHEN w.state = 'ended' THEN 'failed' END
$$;

CREATE OR REPLACE FUNCTION payment_approved(p_cases payment_case[]) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(SELECT w.id FROM payment_approval w WHERE w.state = 'approved'
    AND w.id = ANY (ARRAY(SELECT ((c.payment).attempt).id FROM unnest(p_cases) AS c)));
END $$;

-- The same order of the same asker, by its id or its invoice, is not asked twice.
CREATE OR REPLACE FUNCTION payment_approval_same(w payment_approval) RETURNS payment_approval LANGUAGE sql STABLE AS $$
  SELECT k FROM payment_approval k
   WHERE k.account_id = w.account_id AND (k.id = w.id OR k.state = 'waiting' AND k.expires_at > clock_timestamp()
     AND k.asker = w.asker AND k.payment_hash = w.payment_hash AND k.amount_msat = w.amount_msat)
   ORDER BY k.id = w.id DESC LIMIT 1
$$;

-- One a minute: the page of each shows the others in the history.
CREATE OR REPLACE FUNCTION payment_approval_notice(w payment_approval) RETURNS void LANGUAGE sql AS $$
  SELECT notice_add(w.user_id, 'payment_waits', jsonb_build_object('id', w.id, 'sats',
      msat_rounded_up(w.amount_msat) / 1000,
      'payee', coalesce(w.payee, 'node ' || (w.payment_order ->> 'node'), ''),
      'memo', coalesce(w.payment_order ->> 'memo', ''), 'name', coalesce(
        (SELECT k.name FROM api_key k WHERE k.id = CASE w.principal_kind WHEN 'api-key' THEN w.principal_id::uuid END),
        (SELECT c.name FROM oauth_client c WHERE c.id = w.client_id), '')),
    'payment_waits:' || div(extract(epoch FROM clock_timestamp()), 60))
$$;

-- 'waits' | 'too_many_waiting' | 'unknown_wallet'. p_order: the row; its expires_at is that of the invoice, or null.
-- At most 10 of an asker and 30 of an account wait; an hour, or as long as the invoice.
CREATE OR REPLACE FUNCTION payment_approval_add(p_order jsonb, p_history jsonb,
  OUT verdict text, OUT id uuid, OUT expires_at timestamptz) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  at timestamptz; w payment_approval; known payment_approval; h history_row_v2;
BEGIN
  w := jsonb_populate_record(NULL::payment_approval, p_order);
  w.account_id := (account_lock(ARRAY[w.user_id]))[1];
  at := clock_timestamp();
  known := payment_approval_same(w);
  IF known.id IS NULL THEN
    verdict := CASE WHEN NOT EXISTS (SELECT FROM wallet x WHERE x.id = w.wallet_id AND x.account_id = w.account_id)
        THEN 'unknown_wallet'
      WHEN (SELECT count(*) >= 30 OR count(*) FILTER (WHERE o.asker = w.asker) >= 10 FROM payment_approval o
        WHERE o.account_id = w.account_id AND o.state = 'waiting' AND o.expires_at > at) THEN 'too_many_waiting' END;
    IF verdict IS NOT NULL THEN RETURN; END IF;
    h := jsonb_populate_record(NULL::history_row_v2, p_history);
    h.counterparty_username := (SELECT u.username FROM wallet x JOIN account a ON a.id = x.account_id
      JOIN app_user u ON u.id = a.user_id WHERE x.id = h.counterparty_wallet_id);
    w.state := 'waiting';
    w.payee := coalesce(w.payee, h.counterparty_username);
    w.created_at := at;
    w.expires_at := least(w.expires_at, at + interval '1 hour');
    INSERT INTO payment_approval SELECT w.*;
    PERFORM history_wait(h, w.expires_at);
    PERFORM payment_approval_notice(w);
    known := w;
  END IF;
  verdict := 'waits'; id := known.id; expires_at := known.expires_at;
END $$;

-- True: it is approved now, or was before, and a job begins the payment. False: it does not wait for this person.
CREATE OR REPLACE FUNCTION payment_approve(p_id uuid, p_user uuid) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  at timestamptz;
BEGIN
  PERFORM account_lock(ARRAY[p_user]);
  at := clock_timestamp();
  UPDATE payment_approval w SET state = 'approved', approved_at = at
    WHERE w.id = p_id AND w.user_id = p_user AND w.state = 'waiting' AND w.expires_at > at;
  IF FOUND THEN
    PERFORM job_add('house', '', 'payment_approved', to_jsonb(p_id), p_id::text, NULL, 25);
    RETURN true;
  END IF;
  RETURN EXISTS (SELECT FROM payment_approval w WHERE w.id = p_id AND w.user_id = p_user AND w.approved_at IS NOT NULL);
END $$;

-- p_failure: why it is not made; null: its payment has begun. Returns those that this call has ended.
CREATE OR REPLACE FUNCTION payment_approval_end(p_ids uuid[], p_state text, p_failure text) RETURNS uuid[]
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ended uuid[];
BEGIN
  PERFORM account_lock(ARRAY(SELECT DISTINCT w.user_id FROM payment_approval w WHERE w.id = ANY (p_ids)));
  WITH closed AS (
    UPDATE payment_approval w SET state = 'ended', ended_at = clock_timestamp()
     WHERE w.id = ANY (p_ids) AND w.state = p_state
       AND (p_failure IS NOT NULL OR EXISTS (SELECT FROM payment p WHERE p.id = w.id))
    RETURNING w.id)
  SELECT coalesce(array_agg(c.id), '{}') INTO ended FROM closed c;
  IF p_failure IS NOT NULL THEN PERFORM history_unwait(ended, p_failure); END IF;
  RETURN ended;
END $$;

-- Ends those that have waited too long, and those whose key or app has ended. Returns how many there were of them.
CREATE OR REPLACE FUNCTION payment_approval_sweep() RETURNS integer LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  late CONSTANT uuid[] := payment_approval_end(ARRAY(SELECT w.id FROM payment_approval w
    WHERE w.state = 'waiting' AND w.expires_at <= clock_timestamp() LIMIT 500), 'waiting', 'approval_expired');
  ended CONSTANT text[] := oauth_ended_credentials(ARRAY(SELECT DISTINCT w.principal_id FROM payment_approval w
    WHERE w.state = 'waiting'));
  gone CONSTANT uuid[] := payment_approval_end(ARRAY(SELECT w.id FROM payment_approval w
    WHERE w.state = 'waiting' AND w.principal_id = ANY (ended) LIMIT 500), 'waiting', 'credential_ended');
BEGIN
  DELETE FROM payment_approval w WHERE w.state = 'ended' AND w.ended_at < now() - interval '30 days';
  RETURN cardinality(late || gone);
END $$;
