-- Outgoing payments: one call begins many (payment_begin.v1.sql), one call ends many, each with an answer of its own.
-- Lock order: payments by id, payment hashes (advisory, sorted), our invoices by payment hash, then the ledger's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Ends payments in flight by the word of the node that was asked: settled with the exact fee, or failed. Anything else leaves them in
-- flight, so it never comes here. Said twice is said once. Answers per payment: finished | already | overtaken | unknown | refused.
-- The account pays whole satoshis; what rounding leaves is the house's. A fee above the limit is the house's too, and somebody is told.
-- overtaken: the node settled a payment whose money had been released, because a dispatcher stood still between its last look at the
-- clock and the node for longer than its lease, twice. The payer was told of a failure, so it is the house's loss, booked and told; and the
-- invoice is paid, so nobody pays it again. If somebody pays it already, the node's word is about theirs: it sends a hash once.
-- refused: a fee that nobody can have asked, or what the ledger does not take. That payment stays as it is, and somebody is told; the others
-- end. Fees travel as numeric: one that fits no bigint must not be everybody's parse error.
CREATE FUNCTION payment_finish(p_id uuid[], p_state text[], p_fee numeric[], p_preimage text[], p_failure text[]) RETURNS text[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  c_lightning CONSTANT bigint := -1; c_fees CONSTANT bigint := -2; c_loss CONSTANT bigint := -5;
  c_max CONSTANT bigint := 2100000000000000000;  -- the ledger's: all the bitcoin there can be
  c_capture CONSTANT smallint := 3; c_void CONSTANT smallint := 4; c_overtaken CONSTANT smallint := 5;
  result text[] := array_fill('unknown'::text, ARRAY[cardinality(p_id)]);
  found payment; spent bigint; charged bigint; held bigint; ledger_id bigint; codes text[]; m int; k int;
  done uuid[] := '{}'; overtaken text[] := '{}';
  sent int[] := '{}'; ops text[] := '{}'; idem uuid[] := '{}'; kinds smallint[] := '{}'; holds uuid[] := '{}'; leg_op int[] := '{}'; leg_account bigint[] := '{}'; leg_amount numeric[] := '{}';
  h_id uuid[] := '{}'; h_status text[] := '{}'; h_amount bigint[] := '{}'; h_fee bigint[] := '{}'; h_preimage text[] := '{}'; h_failure text[] := '{}';
BEGIN
  PERFORM 1 FROM payment p WHERE p.id = ANY (p_id) ORDER BY p.id FOR NO KEY UPDATE;
  -- Of those that were released already: nobody begins to pay their hashes while we judge. payment_begin locks no payments, so there is no cycle.
  -- OFFSET 0 asks by id first: planned on an empty table, it would go through the index of everything that ever failed.
  PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended(p.payment_hash, 0) AS hash
    FROM (SELECT payment_hash, state FROM payment WHERE id = ANY (p_id) OFFSET 0) AS p WHERE p.state = 'failed' ORDER BY 1) AS sorted;
  FOR k IN 1 .. cardinality(p_id) LOOP
    SELECT * INTO found FROM payment p WHERE p.id = p_id[k];
    result[k] := CASE WHEN found.id IS NULL THEN 'unknown'
      WHEN p_id[k] = ANY (done) OR found.state = 'settled' OR (found.state = 'failed' AND p_state[k] <> 'settled') THEN 'already'
      WHEN p_state[k] = 'settled' AND (p_fee[k] BETWEEN 0 AND c_max) IS NOT TRUE THEN 'refused'
      WHEN found.state = 'in_flight' THEN 'finished'
      WHEN found.payment_hash = ANY (overtaken) THEN 'already'
      WHEN EXISTS (SELECT FROM payment p WHERE p.payment_hash = found.payment_hash AND p.state IN ('in_flight', 'settled')) THEN 'already'
      ELSE 'overtaken' END;
    CONTINUE WHEN result[k] IN ('unknown', 'already', 'refused');
    sent := sent || k; m := cardinality(sent); done := done || found.id; idem := idem || md5(concat_ws('|', CASE result[k] WHEN 'finished' THEN 'finish' ELSE 'overtaken' END, found.id))::uuid;
    IF result[k] = 'overtaken' THEN
      spent := found.amount_msat + p_fee[k]; overtaken := overtaken || found.payment_hash;
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
      IF charged < spent THEN RAISE WARNING 'payment_finish: payment % cost % msat more than was held', found.id, spent - charged; END IF;
      h_status := h_status || 'SUCCESS'::text; h_amount := h_amount || -charged; h_fee := h_fee || charged - found.amount_msat;
    ELSE
      ops := ops || 'void'::text; kinds := kinds || c_void;
      h_status := h_status || 'FAILURE'::text; h_amount := h_amount || -found.amount_msat; h_fee := h_fee || 0::bigint;
    END IF;
    h_preimage := h_preimage || p_preimage[k]; h_failure := h_failure || p_failure[k];
  END LOOP;
  IF sent = '{}' THEN RETURN result; END IF;
  codes := ledger_apply(ops, idem, kinds, leg_op, leg_account, leg_amount, holds);
  FOR m IN 1 .. cardinality(sent) LOOP
    CONTINUE WHEN codes[m] = 'ok';
    found.id := p_id[sent[m]];
    done := array_remove(done, found.id); h_id := array_replace(h_id, found.id, NULL);
    result := ARRAY(SELECT CASE WHEN x.id = found.id THEN 'refused' ELSE x.code END FROM unnest(p_id, result) WITH ORDINALITY AS x(id, code, n) ORDER BY x.n);
  END LOOP;
  -- A payment that was overtaken keeps its failure: that is what its payer was told, and what the history says.
  UPDATE payment p SET state = p_state[s], fee_msat = CASE p_state[s] WHEN 'settled' THEN p_fee[s] END, preimage = p_preimage[s], failure = coalesce(p.failure, p_failure[s]), finished_at = now()
    FROM unnest(sent) AS s WHERE p.id = p_id[s] AND p.id = ANY (done);
  PERFORM history_settle(h_id, h_status, h_amount, h_fee, h_preimage, h_failure);
  RETURN result;
END $$;

-- Payments whose node should be asked now: claimed for the caller, others pass them by. The older a payment, the more rarely its node is asked.
CREATE FUNCTION payment_due(p_limit integer, p_first_after_seconds integer) RETURNS SETOF payment LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE payment SET checks = checks + 1, next_check_at = now() + make_interval(secs => least(300, power(2, least(checks, 9))))
   WHERE id IN (SELECT id FROM payment WHERE state = 'in_flight' AND next_check_at <= now() AND created_at <= now() - make_interval(secs => p_first_after_seconds)
                 ORDER BY next_check_at LIMIT p_limit FOR UPDATE SKIP LOCKED)
  RETURNING *
$$;

-- The node does not know this payment, or knows only that an attempt of its hash has failed, which may have been an earlier one. Money is
-- released only when it says so twice, further apart than a dispatch may take, and no dispatcher can still be about to send it: a request
-- may stand still on its way to the node for longer than its lease. Never of one that the node had under way: what it has forgotten since
-- may have been paid. True: it is lost, end it.
CREATE FUNCTION payment_not_found(p_id uuid, p_lease_seconds integer) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  lease CONSTANT interval := make_interval(secs => p_lease_seconds);
  found payment;
BEGIN
  SELECT * INTO found FROM payment WHERE id = p_id AND state = 'in_flight' AND NOT seen_in_flight FOR NO KEY UPDATE;
  IF found.id IS NULL THEN RETURN false; END IF;
  IF found.not_found_at IS NULL THEN
    UPDATE payment SET not_found_at = now(), next_check_at = now() + lease WHERE id = p_id;
    RETURN false;
  END IF;
  RETURN found.not_found_at <= now() - lease AND found.created_at <= now() - lease;
END $$;
