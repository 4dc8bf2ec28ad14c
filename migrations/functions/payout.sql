-- Lock order: batches, payouts by id, then those of payment_finish.

-- payment_begin_v2 for payments of which some go to bitcoin addresses: those are queued with an order each.
CREATE OR REPLACE FUNCTION payment_begin_v3(p_attempts payment_attempt[], p_orders dealer_order[],
  p_payouts payout_order[], p_node text, p_cents_per_btc bigint, p_limit_cents bigint, p_limits account_limit[],
  p_limit_price bigint)
RETURNS TABLE (result text, payment_id uuid, limit_cents bigint) LANGUAGE sql SET search_path FROM CURRENT AS $$
  WITH begun AS MATERIALIZED (
    SELECT * FROM payment_begin_v2(p_attempts, p_orders, p_node, p_cents_per_btc, p_limit_cents, p_limits,
      p_limit_price) WITH ORDINALITY AS b(result, payment_id, limit_cents, n)
  ), queued AS (
    INSERT INTO payout (id, speed, miner_limit_sats, service_sats, vbytes, is_all)
      SELECT b.payment_id, (p_payouts[b.n]).* FROM begun b
       WHERE b.result = 'in_flight' AND (p_payouts[b.n]).speed IS NOT NULL
  )
  SELECT b.result, b.payment_id, b.limit_cents FROM begun b ORDER BY b.n
$$;

-- Takes those that can pay the rate into a new batch, those first that have been tried less, in the order of its
-- outputs. None while the sends of all or of their account are stopped: what is queued is not sent yet.
CREATE OR REPLACE FUNCTION payout_take(p_batch uuid, p_speed text, p_rate integer, p_limit integer)
RETURNS TABLE (id uuid, address text, sats bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  -- A freeze that has been answered is read.
  PERFORM pg_advisory_xact_lock_shared(lock_key('paymentFreeze'));
  RETURN QUERY
  WITH taken AS (
    UPDATE payout o SET state = 'batched', batch_id = p_batch, tries = o.tries + 1
     WHERE o.id IN (SELECT q.id FROM payout q JOIN payment p ON p.id = q.id
       WHERE q.state = 'queued' AND q.speed = p_speed AND q.miner_limit_sats >= p_rate::bigint * q.vbytes
         AND NOT EXISTS (SELECT FROM payment_freeze f WHERE f.subject IN ('all', p.account_id::text))
       ORDER BY q.tries, q.queued_at, q.id LIMIT p_limit FOR UPDATE OF q SKIP LOCKED)
    RETURNING o.id
  ), opened AS (
    INSERT INTO payout_batch (id, speed) SELECT p_batch, p_speed WHERE EXISTS (SELECT FROM taken)
  )
  SELECT p.id, p.payment_request, p.amount_msat / 1000 FROM taken t JOIN payment p ON p.id = t.id ORDER BY p.id;
END $$;

-- The owners of those that no batch has taken a minute after the time of their speed learn it, once.
CREATE OR REPLACE FUNCTION payout_late(p_speeds text[], p_seconds integer[]) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  WITH late AS (
    UPDATE payout o SET late_at = now() FROM unnest(p_speeds, p_seconds) AS t(speed, seconds)
     WHERE o.state = 'queued' AND o.late_at IS NULL AND o.speed = t.speed
       AND o.queued_at < now() - make_interval(secs => t.seconds + 60)
    RETURNING o.id
  )
  SELECT notice_add(a.user_id, 'payout_late', jsonb_build_object('id', p.id, 'sats', p.amount_msat / 1000,
      'address', p.payment_request), 'payout_late:' || p.id)
    FROM late l JOIN payment p ON p.id = l.id JOIN account a ON a.id = p.account_id
$$;

-- Nothing of the batch was sent, nor ever will be: only what is stored is sent. False: it is signed, or was dissolved.
CREATE OR REPLACE FUNCTION payout_dissolve(p_batch uuid) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM payout_batch b WHERE b.id = p_batch AND b.state = 'open';
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE payout SET state = 'queued', batch_id = NULL WHERE batch_id = p_batch;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION payout_show(p_batch uuid, p_txid text) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  SELECT history_place_output(array_agg(o.id ORDER BY o.id), p_txid, array_agg(o.vout ORDER BY o.id))
    FROM payout o WHERE o.batch_id = p_batch
$$;

-- From here on the transaction may be sent. False: the batch was dissolved, and it must not be.
CREATE OR REPLACE FUNCTION payout_sign(p_batch uuid, p_psbt text, p_raw text, p_txid text, p_fee_sats bigint,
  p_outputs payout_output[], p_lease_seconds integer) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE payout_batch b SET state = 'signed', psbt = p_psbt, txid = p_txid,
    lease_until = now() + make_interval(secs => p_lease_seconds) WHERE b.id = p_batch AND b.state = 'open';
  IF NOT FOUND THEN
    RETURN EXISTS (SELECT FROM payout_transaction t WHERE t.txid = p_txid AND t.batch_id = p_batch);
  END IF;
  INSERT INTO payout_transaction (txid, batch_id, raw, fee_sats) VALUES (p_txid, p_batch, p_raw, p_fee_sats);
  UPDATE payout o SET vout = x.vout, weight = x.weight FROM unnest(p_outputs) AS x
   WHERE o.id = x.id AND o.batch_id = p_batch;
  PERFORM payout_show(p_batch, p_txid);
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION payout_publish(p_batch uuid, p_txid text) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE payout_batch b SET state = 'broadcast' WHERE b.id = p_batch AND b.txid = p_txid AND b.state = 'signed';
  IF FOUND THEN UPDATE payout o SET state = 'broadcast' WHERE o.batch_id = p_batch AND o.state = 'batched'; END IF;
END $$;

-- The parts of a fee by weight, whole satoshis each; the first ones bear the rest.
CREATE OR REPLACE FUNCTION payout_shares(p_batch uuid, p_fee_sats bigint) RETURNS TABLE (id uuid, sats bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT s.id, s.sats + (s.place <= p_fee_sats - s.given)::integer
    FROM (SELECT x.*, sum(x.sats) OVER () AS given FROM (
      SELECT o.id, div(p_fee_sats::numeric * o.weight, sum(o.weight) OVER ())::bigint AS sats,
        row_number() OVER (ORDER BY o.vout) AS place
        FROM payout o WHERE o.batch_id = p_batch) AS x) AS s
$$;

-- It costs its part of the miner's fee and the service, at most its hold; one that leaves nothing in the wallet costs
-- all of its hold. What a part is beyond the hold is the operator's loss, which payment_finish books.
CREATE OR REPLACE FUNCTION payout_fee(p_limit_sats bigint, p_miner_sats bigint, p_service_sats bigint, p_is_all boolean)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(p_miner_sats,
    CASE WHEN p_is_all THEN p_limit_sats ELSE least(p_limit_sats, p_miner_sats + p_service_sats) END)
$$;

-- The transaction p_txid of the batch is in a block: its payments end, each with its fee. One that a reorganisation had
-- taken back has ended before. Returns the payments that have ended now; null: there is no such batch to be confirmed.
CREATE OR REPLACE FUNCTION payout_confirm(p_batch uuid, p_txid text, p_height integer, p_block text) RETURNS uuid[]
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  fee CONSTANT bigint := (SELECT t.fee_sats FROM payout_transaction t WHERE t.txid = p_txid AND t.batch_id = p_batch);
  before payout_batch; ends payment_resolution[]; codes text[];
BEGIN
  SELECT * INTO before FROM payout_batch b WHERE b.id = p_batch AND b.state IN ('signed', 'broadcast', 'confirmed')
    FOR UPDATE;
  IF before.id IS NULL OR fee IS NULL THEN RETURN NULL; END IF;
  UPDATE payout_batch b SET state = 'confirmed', txid = p_txid, height = p_height, block_hash = p_block
   WHERE b.id = p_batch;
  UPDATE payout o SET state = 'confirmed', miner_sats = coalesce(o.miner_sats, s.sats)
    FROM payout_shares(p_batch, fee) AS s WHERE o.id = s.id;
  IF before.txid <> p_txid THEN PERFORM payout_show(p_batch, p_txid); END IF;
  ends := ARRAY(SELECT ROW(o.id, 'settled', 1000 * payout_fee(p.fee_limit_msat / 1000, o.miner_sats, o.service_sats,
      o.is_all), NULL, NULL)::payment_resolution
    FROM payout o JOIN payment p ON p.id = o.id WHERE o.batch_id = p_batch AND p.state = 'in_flight' ORDER BY o.id);
  codes := ARRAY(SELECT f.code FROM payment_finish(ends) WITH ORDINALITY AS f ORDER BY f.ordinality);
  RETURN ARRAY(SELECT e.id FROM unnest(ends) WITH ORDINALITY AS e WHERE codes[e.ordinality] = 'finished');
END $$;

-- A reorganisation has taken its block: it waits in the mempool again, and is sent again. No money moves back.
CREATE OR REPLACE FUNCTION payout_unconfirm(p_batch uuid) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE payout_batch b SET state = 'signed', height = NULL, block_hash = NULL
   WHERE b.id = p_batch AND b.state IN ('broadcast', 'confirmed');
  IF FOUND THEN UPDATE payout o SET state = 'batched' WHERE o.batch_id = p_batch; END IF;
END $$;

-- Another transaction has spent its inputs for good: its payouts go to the queue again.
CREATE OR REPLACE FUNCTION payout_replace(p_batch uuid) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE payout_batch b SET state = 'replaced', height = NULL, block_hash = NULL
   WHERE b.id = p_batch AND b.state IN ('signed', 'broadcast', 'confirmed');
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM payout_show(p_batch, NULL);
  UPDATE payout o SET state = 'queued', batch_id = NULL, vout = NULL, weight = NULL WHERE o.batch_id = p_batch;
END $$;

-- The operator answers for it that no version of its transaction will ever be in a block. False: it is in none that has
-- waited for ten minutes: a wallet does not know one that is about to be sent for the first time.
CREATE OR REPLACE FUNCTION payout_requeue(p_id uuid, p_who text, p_because text) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  batch CONSTANT uuid := (SELECT b.id FROM payout_batch b JOIN payout o ON o.batch_id = b.id
    WHERE o.id = p_id AND b.state IN ('signed', 'broadcast') AND b.made_at < now() - interval '10 minutes'
    FOR UPDATE OF b);
BEGIN
  IF batch IS NULL THEN RETURN false; END IF;
  PERFORM payout_replace(batch);
  PERFORM operator_action_add(p_who, 'payout requeue', p_id::text, p_because, '{}');
  RETURN true;
END $$;

-- cancelled | unknown | settled: it has been paid once, and is due again | or its state, which is no longer queued.
CREATE OR REPLACE FUNCTION payout_cancel(p_id uuid, p_who text, p_because text) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  was CONSTANT text := (SELECT o.state FROM payout o WHERE o.id = p_id FOR UPDATE);
  ended text;
BEGIN
  IF was IS DISTINCT FROM 'queued' THEN RETURN coalesce(was, 'unknown'); END IF;
  ended := (SELECT f.code FROM payment_finish(
    ARRAY[ROW(p_id, 'failed', 0, NULL, 'operator')::payment_resolution]) AS f);
  IF ended <> 'finished' THEN RETURN 'settled'; END IF;
  UPDATE payout SET state = 'cancelled' WHERE id = p_id;
  PERFORM operator_action_add(p_who, 'payout cancel', p_id::text, p_because, '{}');
  RETURN 'cancelled';
END $$;

-- A version with a higher fee. False: the batch has another version by now, or is confirmed.
CREATE OR REPLACE FUNCTION payout_bump(p_batch uuid, p_before text, p_psbt text, p_raw text, p_txid text,
  p_fee_sats bigint, p_who text, p_because text) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE payout_batch b SET state = 'signed', psbt = p_psbt, txid = p_txid
   WHERE b.id = p_batch AND b.txid = p_before AND b.state IN ('signed', 'broadcast');
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO payout_transaction (txid, batch_id, raw, fee_sats) VALUES (p_txid, p_batch, p_raw, p_fee_sats);
  PERFORM payout_show(p_batch, p_txid);
  PERFORM operator_action_add(p_who, 'payout bump', p_batch::text, p_because,
    jsonb_build_object('before', p_before, 'txid', p_txid, 'feeSats', p_fee_sats::text));
  RETURN true;
END $$;

-- What has left the chain's wallet by the ledger and by the payouts; payments in flight that are in no queue and no
-- transaction; payouts in a transaction that is not sent.
CREATE OR REPLACE VIEW payout_audit (what, n) AS
  SELECT 'payouts_differ', count(*) FROM (
    SELECT coalesce(sum(e.amount), 0) AS booked FROM ledger_entry e
      JOIN ledger_journal j ON j.id = e.journal_id AND j.kind = ledger_journal_kind('payment_capture')
     WHERE e.account_id = ledger_system_account('onchain')) AS l,
    (SELECT coalesce(sum(p.amount_msat + 1000 * o.miner_sats), 0) AS sent
       FROM payout o JOIN payment p ON p.id = o.id AND p.state = 'settled') AS o
   WHERE l.booked <> o.sent
UNION ALL
  SELECT 'payouts_missing', count(*) FROM payment p
   WHERE p.kind = 'onchain' AND p.state = 'in_flight'
     AND NOT EXISTS (SELECT FROM payout o WHERE o.id = p.id AND o.state IN ('queued', 'batched', 'broadcast'))
UNION ALL
  SELECT 'payouts_unsent', count(*) FROM payout o
   WHERE o.batch_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM payout_batch b WHERE b.id = o.batch_id AND b.state <> 'replaced');
