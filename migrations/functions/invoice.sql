-- Cancels and settles invoices. Lock order: the node's cursor, invoices by payment hash, then the ledger's, then settlement_review.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Publishes the state of invoices to every process. The preimage is the payer's receipt: it is included once they are paid, never before.
CREATE OR REPLACE FUNCTION invoice_tell(p_hash text[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT event_add(array_agg('invoice.changed'::text), array_agg(i.payment_hash),
                   array_agg(jsonb_build_object('paymentHash', i.payment_hash, 'paymentRequest', i.payment_request, 'state', i.state,
                                                'preimage', CASE WHEN i.state = 'paid' THEN i.preimage END)))
    FROM invoice i WHERE i.payment_hash = ANY (p_hash) HAVING count(*) > 0
$$;

CREATE OR REPLACE FUNCTION invoice_mark_paid(p_hash text[], p_via text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE invoice SET state = 'paid', settled_via = p_via, paid_at = clock_timestamp() WHERE payment_hash = ANY (p_hash) AND state <> 'paid';
  PERFORM invoice_tell(p_hash);
END $$;

-- Returns cancelled | paid | unknown. Idempotent.
CREATE OR REPLACE FUNCTION invoice_cancel(p_account uuid, p_wallet uuid, p_hash text) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  found_state text;
BEGIN
  SELECT state INTO found_state FROM invoice WHERE payment_hash = p_hash AND account_id = p_account AND wallet_id = p_wallet FOR NO KEY UPDATE;
  IF found_state IS NULL THEN RETURN 'unknown'; END IF;
  IF found_state = 'open' THEN
    UPDATE invoice SET state = 'cancelled' WHERE payment_hash = p_hash;
    PERFORM invoice_tell(ARRAY[p_hash]);
  END IF;
  RETURN CASE found_state WHEN 'paid' THEN 'paid' ELSE 'cancelled' END;
END $$;

-- Books what a node reports as paid to it. The ledger's key (node, hash) makes each settlement count once, however often, in whichever
-- order and in whichever process it arrives: from the stream (p_epoch: the epoch of the cursor that it was started with) or from a look-up
-- (p_epoch null). The cursor is only the position from which to read; a look-up never moves it. Returns one code per settlement:
--   credited           the wallet has it, and the invoice is paid
--   credited_again     the invoice had been paid internally: two payers, and both payments are the recipient's
--   seen               credited before
--   unclaimed          no invoice of ours: credited to the unclaimed account, for the operator to review
--   refused            an impossible amount, or an operation that the ledger rejects, such as another amount than it has booked for this
--                      hash. Nothing is credited, and settlement_review keeps it. The cursor passes it, or it would block all later ones
--   refused_before     the same, reported again
--   locked             another transaction holds its invoice or its account (only with p_skip_locked): nothing is credited, and the cursor
--                      stays below it
-- went_back: a settlement at or below the cursor was credited, so the node's index has restarted (a restore from its seed): the cursor
-- restarts too. What is read twice is `seen`. epoch: that of the cursor now; a reader of another one has to restart.
-- Amounts are numeric: one that fits no bigint must fail its settlement, not the batch.
CREATE OR REPLACE FUNCTION invoice_settle(p_node text, p_epoch integer, p_index bigint[], p_hash text[], p_msat numeric[], p_skip_locked boolean,
                               OUT codes text[], OUT went_back boolean, OUT epoch integer) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  c_lightning CONSTANT bigint := -1;
  c_unclaimed CONSTANT bigint := -6;
  c_max CONSTANT bigint := 2100000000000000000;  -- the ledger's bound: all the bitcoin there can be
  c_kind CONSTANT smallint := 2;
  place settlement_cursor; found invoice; late invoice_forgotten; ledger_id bigint; answers text[]; k int; newest int;
  sent int[] := '{}'; idem uuid[] := '{}'; leg_op int[] := '{}'; leg_account bigint[] := '{}'; leg_amount numeric[] := '{}';
  history history_row[] := '{}'; paid text[] := '{}'; free text[]; wallets uuid[]; accounts_free bigint[];
BEGIN
  codes := array_fill('seen'::text, ARRAY[cardinality(p_hash)]);
  INSERT INTO settlement_cursor VALUES (p_node) ON CONFLICT DO NOTHING;
  SELECT * INTO place FROM settlement_cursor c WHERE c.node_id = p_node FOR NO KEY UPDATE;
  IF p_skip_locked THEN
    free := ARRAY(SELECT i.payment_hash FROM invoice i WHERE i.payment_hash = ANY (p_hash) ORDER BY i.payment_hash FOR NO KEY UPDATE SKIP LOCKED);
    wallets := ARRAY(SELECT i.wallet_id FROM invoice i WHERE i.payment_hash = ANY (p_hash))
            || ARRAY(SELECT f.wallet_id FROM unnest(p_hash) AS h JOIN invoice_forgotten f ON f.payment_hash = decode(CASE WHEN h ~ '^[0-9a-f]{64}$' THEN h ELSE '' END, 'hex'));
    accounts_free := ledger_lock_free(ARRAY(SELECT w.ledger_account_id FROM wallet w WHERE w.id = ANY (wallets)));
  ELSE
    PERFORM 1 FROM invoice WHERE payment_hash = ANY (p_hash) ORDER BY payment_hash FOR NO KEY UPDATE;
  END IF;
  FOR k IN 1 .. cardinality(p_hash) LOOP
    SELECT * INTO found FROM invoice WHERE payment_hash = p_hash[k];
    -- Another process, or the stream, has credited it: no need to ask the ledger.
    CONTINUE WHEN p_index[k] <= place.settle_index AND found.node_id = p_node AND found.settled_via = 'ln';
    codes[k] := 'refused';
    CONTINUE WHEN (p_msat[k] BETWEEN 1 AND c_max) IS NOT TRUE;
    late := NULL;
    IF found.payment_hash IS NULL AND p_hash[k] ~ '^[0-9a-f]{64}$' THEN
      SELECT * INTO late FROM invoice_forgotten WHERE payment_hash = decode(p_hash[k], 'hex');
    END IF;
    SELECT ledger_account_id INTO ledger_id FROM wallet WHERE id = coalesce(found.wallet_id, late.wallet_id);
    IF p_skip_locked AND (found.payment_hash <> ALL (free) OR ledger_id <> ALL (accounts_free)) THEN
      codes[k] := 'locked';
      CONTINUE;
    END IF;
    codes[k] := CASE WHEN ledger_id IS NULL THEN 'unclaimed' WHEN found.state = 'paid' THEN 'credited_again' ELSE 'credited' END;
    sent := sent || k;
    idem := idem || md5(concat_ws('|', 'ln', p_node, p_hash[k]))::uuid;
    leg_op := leg_op || ARRAY[cardinality(sent), cardinality(sent)];
    leg_account := leg_account || ARRAY[c_lightning, coalesce(ledger_id, c_unclaimed)];
    leg_amount := leg_amount || ARRAY[-p_msat[k], p_msat[k]];
  END LOOP;
  IF sent <> '{}' THEN
    answers := ledger_apply(array_fill('post'::text, ARRAY[cardinality(sent)]), idem, array_fill(c_kind, ARRAY[cardinality(sent)]), leg_op, leg_account, leg_amount);
  END IF;
  FOR m IN 1 .. cardinality(sent) LOOP
    k := sent[m];
    codes[k] := CASE answers[m] WHEN 'ok' THEN codes[k] WHEN 'duplicate' THEN 'seen' ELSE 'refused' END;
    CONTINUE WHEN codes[k] NOT IN ('credited', 'credited_again');
    paid := paid || p_hash[k];
    SELECT * INTO found FROM invoice WHERE payment_hash = p_hash[k];
    IF found.payment_hash IS NULL THEN  -- expired and deleted: only its wallet is kept
      UPDATE invoice_forgotten SET paid_at = now() WHERE payment_hash = decode(p_hash[k], 'hex') RETURNING * INTO late;
      found.wallet_id := late.wallet_id; found.cents_per_btc := late.cents_per_btc;
    END IF;
    history := history || ROW(gen_random_uuid(), found.wallet_id, 'RECEIVE', 'SUCCESS', p_msat[k], 0, found.memo, found.external_id, 'ln', 'ln',
      p_hash[k], found.payment_request, found.preimage, NULL, NULL, NULL, found.cents_per_btc, found.by_owner)::history_row;
  END LOOP;
  PERFORM history_add(history);
  PERFORM invoice_mark_paid(paid, 'ln');

  -- Settlements for the operator to review, once each. One that the node now reports otherwise, and that is credited, needs no review.
  WITH told AS (
    INSERT INTO settlement_review (node_id, payment_hash, settle_index, amount_msat, outcome)
      SELECT DISTINCT ON (x.hash) p_node, x.hash, x.index, x.msat, x.code FROM unnest(p_hash, p_index, p_msat, codes) AS x(hash, index, msat, code)
       WHERE x.code IN ('refused', 'unclaimed') ORDER BY x.hash
    ON CONFLICT DO NOTHING RETURNING payment_hash
  ) SELECT array_agg(CASE WHEN x.code = 'refused' AND t.payment_hash IS NULL THEN 'refused_before' ELSE x.code END ORDER BY x.n) INTO codes
      FROM unnest(p_hash, codes) WITH ORDINALITY AS x(hash, code, n) LEFT JOIN told t ON t.payment_hash = x.hash;
  IF paid <> '{}' THEN
    UPDATE settlement_review r SET booked_at = now() WHERE r.node_id = p_node AND r.payment_hash = ANY (paid) AND r.booked_at IS NULL;
  END IF;

  epoch := place.epoch;
  went_back := (p_epoch IS NULL OR p_epoch = place.epoch) AND EXISTS (
    SELECT FROM unnest(p_index, codes) AS x(index, code) WHERE x.index <= place.settle_index AND x.code IN ('credited', 'credited_again', 'unclaimed'));
  IF went_back THEN
    PERFORM settlement_restart(p_node, place.epoch);
    epoch := place.epoch + 1;
  ELSIF p_epoch = place.epoch THEN
    -- None if the first settlement is locked: then the cursor stays.
    SELECT x.n INTO newest FROM unnest(p_index) WITH ORDINALITY AS x(index, n)
     WHERE x.index < ALL (SELECT y.index FROM unnest(p_index, codes) AS y(index, code) WHERE y.code = 'locked') ORDER BY x.index DESC LIMIT 1;
    UPDATE settlement_cursor c SET settle_index = p_index[newest], settle_hash = p_hash[newest] WHERE c.node_id = p_node AND c.settle_index < p_index[newest];
  END IF;
END $$;

-- The node's index has restarted: settlements are read from the start, and readers of an earlier epoch no longer move the cursor.
-- False: another process was first.
CREATE OR REPLACE FUNCTION settlement_restart(p_node text, p_epoch integer) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE settlement_cursor SET settle_index = 0, settle_hash = NULL, epoch = epoch + 1 WHERE node_id = p_node AND epoch = p_epoch;
  RETURN FOUND;
END $$;
