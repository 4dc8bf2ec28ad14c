-- Outgoing payments: one call begins many (payment_begin.sql), one call ends many, with one result per payment.
-- Lock order: payments by id, payment hashes (advisory, sorted), our invoices by payment hash, then the ledger's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Locks payments in the order of their ids, and returns those that are locked now. p_skip_locked: does not wait, and skips those that
-- another transaction holds.
CREATE OR REPLACE FUNCTION payment_lock(p_id uuid[], p_skip_locked boolean) RETURNS uuid[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  IF p_skip_locked THEN RETURN ARRAY(SELECT p.id FROM payment p WHERE p.id = ANY (p_id) ORDER BY p.id FOR NO KEY UPDATE SKIP LOCKED); END IF;
  RETURN ARRAY(SELECT p.id FROM payment p WHERE p.id = ANY (p_id) ORDER BY p.id FOR NO KEY UPDATE);
END $$;

-- Ends payments in flight by the final status of the node that was asked: settled with the exact fee, or failed. Any other status leaves
-- them in flight and never comes here. Idempotent. Two ways to fail depend on what is still true once the row is locked:
--   unsent  only a payment that was not dispatched fails; a dispatcher that comes later finds that it has ended, and sends nothing
--   lost    only one that was dispatched, was never reported in flight, and was dispatched since the node's payment index last went down
-- codes, per payment: finished | already | overtaken | unknown | refused | held (neither unsent nor lost: it stays in flight) |
-- locked (another transaction holds it, its account, its hold or its row in the history; only with p_skip_locked: retry).
-- losses, per payment: the operator's loss, in msat.
-- The account pays whole satoshis; the rounding remainder goes to the fees account. A fee above the limit is the operator's loss.
-- overtaken: the node settled a payment whose hold had been released. The payer got a failure, so it is the operator's loss; and the
-- invoice is paid, so it is not paid again. If another payment of the hash is in flight or settled, the status is about that one: a node
-- sends a hash once.
-- refused: an impossible fee, or an operation that the ledger rejects. That payment stays unchanged, and the caller reports it; the others
-- end. Fees are numeric: one that fits no bigint must fail its payment, not the batch.
CREATE OR REPLACE FUNCTION payment_finish(p_id uuid[], p_state text[], p_fee numeric[], p_preimage text[], p_failure text[], p_skip_locked boolean, OUT codes text[], OUT losses bigint[]) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  c_lightning CONSTANT bigint := -1; c_fees CONSTANT bigint := -2; c_loss CONSTANT bigint := -5;
  c_max CONSTANT bigint := 2100000000000000000;  -- the ledger's bound: all the bitcoin there can be
  c_capture CONSTANT smallint := 3; c_void CONSTANT smallint := 4; c_overtaken CONSTANT smallint := 5;
  result text[] := array_fill('unknown'::text, ARRAY[cardinality(p_id)]); ends CONSTANT text[] := array_replace(array_replace(p_state, 'unsent', 'failed'), 'lost', 'failed');
  found payment; spent bigint; charged bigint; held bigint; ledger_id bigint; applied text[]; m int; k int;
  free uuid[]; in_flight_free uuid[]; hashes_free text[]; done uuid[] := '{}'; overtaken text[] := '{}';
  sent int[] := '{}'; ops text[] := '{}'; idem uuid[] := '{}'; kinds smallint[] := '{}'; holds uuid[] := '{}'; leg_op int[] := '{}'; leg_account bigint[] := '{}'; leg_amount numeric[] := '{}';
  h_id uuid[] := '{}'; h_status text[] := '{}'; h_amount bigint[] := '{}'; h_fee bigint[] := '{}'; h_preimage text[] := '{}'; h_failure text[] := '{}';
BEGIN
  losses := array_fill(0::bigint, ARRAY[cardinality(p_id)]);
  free := payment_lock(p_id, p_skip_locked);
  -- Locks the hashes of failed payments, so that no transaction begins to pay them meanwhile. payment_begin locks no payments: no cycle.
  -- OFFSET 0 makes PostgreSQL read by id first: a plan made on an empty table would scan the index of all failed payments.
  IF p_skip_locked THEN
    hashes_free := ARRAY(SELECT sorted.h FROM (SELECT DISTINCT p.payment_hash AS h
      FROM (SELECT payment_hash, state FROM payment WHERE id = ANY (free) OFFSET 0) AS p WHERE p.state = 'failed' ORDER BY 1) AS sorted
       WHERE pg_try_advisory_xact_lock(hashtextextended(sorted.h, 0)));
    in_flight_free := history_lock_free(ledger_lock_free_holds(free));
  ELSE
    PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended(p.payment_hash, 0) AS hash
      FROM (SELECT payment_hash, state FROM payment WHERE id = ANY (p_id) OFFSET 0) AS p WHERE p.state = 'failed' ORDER BY 1) AS sorted;
  END IF;
  FOR k IN 1 .. cardinality(p_id) LOOP
    SELECT * INTO found FROM payment p WHERE p.id = p_id[k];
    result[k] := CASE WHEN found.id IS NULL THEN 'unknown'
      WHEN p_id[k] = ANY (done) OR found.state = 'settled' OR (found.state = 'failed' AND ends[k] <> 'settled') THEN 'already'
      WHEN p_skip_locked AND (found.id <> ALL (free) OR CASE found.state WHEN 'failed' THEN found.payment_hash <> ALL (hashes_free) ELSE found.id <> ALL (in_flight_free) END) THEN 'locked'
      WHEN p_state[k] = 'unsent' AND found.dispatched_at IS NOT NULL THEN 'held'
      WHEN p_state[k] = 'lost' AND (found.seen_in_flight OR NOT EXISTS (SELECT FROM payment_node n WHERE n.node_id = found.node_id AND n.unbroken_since <= found.dispatched_at)) THEN 'held'
      WHEN p_state[k] = 'settled' AND (p_fee[k] BETWEEN 0 AND c_max) IS NOT TRUE THEN 'refused'
      WHEN found.state = 'in_flight' THEN 'finished'
      WHEN found.payment_hash = ANY (overtaken) THEN 'already'
      WHEN EXISTS (SELECT FROM payment p WHERE p.payment_hash = found.payment_hash AND p.state IN ('in_flight', 'settled')) THEN 'already'
      ELSE 'overtaken' END;
    CONTINUE WHEN result[k] IN ('unknown', 'already', 'refused', 'held', 'locked');
    sent := sent || k; m := cardinality(sent); done := done || found.id; idem := idem || md5(concat_ws('|', CASE result[k] WHEN 'finished' THEN 'finish' ELSE 'overtaken' END, found.id))::uuid;
    IF result[k] = 'overtaken' THEN
      spent := found.amount_msat + p_fee[k]; losses[k] := spent; overtaken := overtaken || found.payment_hash;
      ops := ops || 'post'::text; kinds := kinds || c_overtaken; holds := holds || NULL::uuid;
      leg_op := leg_op || ARRAY[m, m]; leg_account := leg_account || ARRAY[c_loss, c_lightning]; leg_amount := leg_amount || ARRAY[-spent, spent]::numeric[];
      CONTINUE;
    END IF;
    holds := holds || found.id; h_id := h_id || found.id;
    held := (found.amount_msat + found.fee_limit_msat + 999) / 1000 * 1000;
    IF p_state[k] = 'settled' THEN
      SELECT ledger_account_id INTO ledger_id FROM wallet w WHERE w.id = found.wallet_id;
      spent := found.amount_msat + p_fee[k];
      charged := least((spent + 999) / 1000 * 1000, held);
      ops := ops || 'capture'::text; kinds := kinds || c_capture;
      leg_op := leg_op || ARRAY[m, m]; leg_account := leg_account || ARRAY[ledger_id, c_lightning]; leg_amount := leg_amount || ARRAY[-charged, spent]::numeric[];
      IF charged <> spent THEN
        leg_op := leg_op || m; leg_account := leg_account || CASE WHEN charged > spent THEN c_fees ELSE c_loss END; leg_amount := leg_amount || (charged - spent)::numeric;
      END IF;
      losses[k] := greatest(spent - charged, 0);
      h_status := h_status || 'SUCCESS'::text; h_amount := h_amount || -charged; h_fee := h_fee || charged - found.amount_msat;
    ELSE
      ops := ops || 'void'::text; kinds := kinds || c_void;
      h_status := h_status || 'FAILURE'::text; h_amount := h_amount || -found.amount_msat; h_fee := h_fee || 0::bigint;
    END IF;
    h_preimage := h_preimage || p_preimage[k]; h_failure := h_failure || p_failure[k];
  END LOOP;
  codes := result;
  IF sent = '{}' THEN RETURN; END IF;
  applied := ledger_apply(ops, idem, kinds, leg_op, leg_account, leg_amount, holds);
  FOR m IN 1 .. cardinality(sent) LOOP
    CONTINUE WHEN applied[m] = 'ok';
    found.id := p_id[sent[m]]; losses[sent[m]] := 0;
    done := array_remove(done, found.id); h_id := array_replace(h_id, found.id, NULL);
    result := ARRAY(SELECT CASE WHEN x.id = found.id THEN 'refused' ELSE x.code END FROM unnest(p_id, result) WITH ORDINALITY AS x(id, code, n) ORDER BY x.n);
  END LOOP;
  -- An overtaken payment keeps its failure: its payer got that response, and the history shows it.
  UPDATE payment p SET state = ends[s], fee_msat = CASE p_state[s] WHEN 'settled' THEN p_fee[s] END, preimage = p_preimage[s], failure = coalesce(p.failure, p_failure[s]), finished_at = clock_timestamp()
    FROM unnest(sent) AS s WHERE p.id = p_id[s] AND p.id = ANY (done);
  PERFORM history_settle(h_id, h_status, h_amount, h_fee, h_preimage, h_failure);
  codes := result;
END $$;
