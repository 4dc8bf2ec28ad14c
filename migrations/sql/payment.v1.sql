-- Outgoing payments: one call begins many, one call ends many, each with an answer of its own.
-- Lock order: payments by id, payment hashes (advisory, sorted), our invoices by payment hash, then the ledger's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Begins payments. Three kinds, told apart here and nowhere else:
--   intraledger  p_recipient names a wallet: money moves now
--   internal     the invoice is ours (hash and text): money moves now, the invoice is paid, no node is asked to pay
--   ln           anybody else's invoice: amount and fee limit are held, and the node p_node has to be asked next
-- p_id is the caller's name for the attempt: the ledger's key, the hold and the row of the history have it too, so a call whose answer
-- was lost may be sent again. Results, with the payment they speak of:
--   settled | in_flight        begun by this call; a repeat of the same p_id is told how that attempt stands: settled, pending, or refused if it failed
--   already_paid | pending     this account has paid this invoice, or is paying it
--   paid_by_other              somebody else has, or is
--   unknown_wallet | unknown_recipient | wrong_currency | wrong_recipient_currency
--   self_payment | expired | cancelled | wrong_amount
--   insufficient | out_of_range | refused (the ledger's other codes)
--   again                      the ledger was asked about another payment of this hash in the same batch: ask again
CREATE FUNCTION payment_begin(
  p_id uuid[], p_user uuid[], p_wallet uuid[], p_recipient uuid[], p_hash text[], p_request text[], p_expires_at timestamptz[],
  p_amount bigint[], p_fee_limit bigint[], p_memo text[], p_node text, p_principal text[], p_client text[], p_cents_per_btc bigint
) RETURNS TABLE (result text, payment_id uuid) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  c_kind CONSTANT smallint := 1;
  n CONSTANT int := cardinality(p_id);
  codes text[]; results text[] := array_fill(NULL::text, ARRAY[n]); about uuid[] := p_id;
  kinds text[] := array_fill(NULL::text, ARRAY[n]); preimages text[] := array_fill(NULL::text, ARRAY[n]);
  payer record; payee record; payer_names text[] := array_fill(NULL::text, ARRAY[n]); payee_names text[] := array_fill(NULL::text, ARRAY[n]);
  known uuid[]; accounts uuid[] := array_fill(NULL::uuid, ARRAY[n]); payees uuid[] := array_fill(NULL::uuid, ARRAY[n]); bill invoice; live payment; held bigint; k int; place int; first int;
  sent int[] := '{}'; hashes text[] := '{}'; ops text[] := '{}'; leg_op int[] := '{}'; leg_account bigint[] := '{}'; leg_amount numeric[] := '{}';
  begun int[] := '{}'; paid text[] := '{}'; history history_row[] := '{}';
BEGIN
  -- 1. One hash, one at a time: after this nobody else can begin to pay what we judge.
  PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended(h, 0) AS hash FROM unnest(p_hash) AS h WHERE h IS NOT NULL ORDER BY 1) AS sorted;
  PERFORM 1 FROM invoice i WHERE i.payment_hash = ANY (p_hash) ORDER BY i.payment_hash FOR NO KEY UPDATE;
  -- Read now, not before: while we waited, another call may have carried out the same attempts.
  known := ARRAY(SELECT p.id FROM payment p WHERE p.id = ANY (p_id));

  -- 2. Judge each, and say what the ledger is to do.
  FOR k IN 1 .. n LOOP
    IF p_id[k] = ANY (known) THEN
      results[k] := (SELECT CASE p.state WHEN 'settled' THEN 'settled' WHEN 'failed' THEN 'refused' ELSE 'pending' END FROM payment p WHERE p.id = p_id[k]);
      CONTINUE;
    END IF;
    bill := NULL; live := NULL;
    IF p_hash[k] IS NOT NULL THEN
      SELECT * INTO bill FROM invoice i WHERE i.payment_hash = p_hash[k] AND i.payment_request = p_request[k];
      SELECT * INTO live FROM payment p WHERE p.payment_hash = p_hash[k] AND p.state IN ('in_flight', 'settled');
    END IF;
    SELECT w.id, w.account_id, w.currency, w.ledger_account_id, u.username INTO payer
      FROM wallet w JOIN account a ON a.id = w.account_id JOIN app_user u ON u.id = a.user_id WHERE w.id = p_wallet[k] AND u.id = p_user[k];
    SELECT w.id, w.account_id, w.currency, w.ledger_account_id, u.username INTO payee
      FROM wallet w JOIN account a ON a.id = w.account_id JOIN app_user u ON u.id = a.user_id WHERE w.id = coalesce(bill.wallet_id, p_recipient[k]);
    kinds[k] := CASE WHEN p_hash[k] IS NULL THEN 'intraledger' WHEN bill.payment_hash IS NOT NULL THEN 'internal' ELSE 'ln' END;
    results[k] := CASE
      WHEN payer.id IS NULL THEN 'unknown_wallet'
      WHEN live.account_id = payer.account_id THEN CASE live.state WHEN 'settled' THEN 'already_paid' ELSE 'pending' END
      WHEN live.id IS NOT NULL OR bill.state = 'paid' THEN 'paid_by_other'
      WHEN kinds[k] <> 'ln' AND payee.id IS NULL THEN 'unknown_recipient'
      WHEN payer.id = payee.id THEN 'self_payment'
      WHEN payer.currency <> 'BTC' THEN 'wrong_currency'
      WHEN payee.currency <> 'BTC' THEN 'wrong_recipient_currency'
      WHEN bill.state = 'cancelled' THEN 'cancelled'
      WHEN coalesce(bill.expires_at, p_expires_at[k]) <= now() THEN 'expired'
      WHEN bill.amount_msat <> p_amount[k] THEN 'wrong_amount'
      WHEN p_hash[k] = ANY (hashes) THEN 'again'
    END;
    IF live.id IS NOT NULL THEN about[k] := live.id; END IF;
    CONTINUE WHEN results[k] IS NOT NULL;
    sent := sent || k; hashes := hashes || p_hash[k]; accounts[k] := payer.account_id; payees[k] := payee.id; preimages[k] := bill.preimage;
    payer_names[k] := payer.username; payee_names[k] := payee.username;
    IF kinds[k] = 'ln' THEN
      held := (p_amount[k] + p_fee_limit[k] + 999) / 1000 * 1000;
      ops := ops || 'hold'::text; leg_op := leg_op || cardinality(sent); leg_account := leg_account || payer.ledger_account_id; leg_amount := leg_amount || -held::numeric;
    ELSE
      ops := ops || 'post'::text; leg_op := leg_op || ARRAY[cardinality(sent), cardinality(sent)];
      leg_account := leg_account || ARRAY[payer.ledger_account_id, payee.ledger_account_id]; leg_amount := leg_amount || ARRAY[-p_amount[k], p_amount[k]]::numeric[];
    END IF;
  END LOOP;
  IF sent = '{}' THEN RETURN QUERY SELECT * FROM unnest(results, about); RETURN; END IF;

  -- 3. Move or hold the money.
  codes := ledger_apply(ops, ARRAY(SELECT p_id[s] FROM unnest(sent) WITH ORDINALITY AS x(s, o) ORDER BY o), array_fill(c_kind, ARRAY[cardinality(sent)]), leg_op, leg_account, leg_amount);
  FOR m IN 1 .. cardinality(sent) LOOP
    k := sent[m];
    IF codes[m] <> 'ok' THEN
      -- A duplicate is the same attempt, which has just been carried out by another call or earlier in this one.
      results[k] := CASE WHEN codes[m] IN ('insufficient', 'out_of_range') THEN codes[m]
                         WHEN codes[m] = 'duplicate' THEN CASE kinds[k] WHEN 'ln' THEN 'pending' ELSE 'settled' END ELSE 'refused' END;
      CONTINUE;
    END IF;
    results[k] := CASE kinds[k] WHEN 'ln' THEN 'in_flight' ELSE 'settled' END;
    begun := begun || k;
    IF kinds[k] = 'internal' THEN paid := paid || p_hash[k]; END IF;
  END LOOP;
  -- What the ledger refused once it would refuse again: whoever repeats it in the same batch gets the same answer, or a crowd that asks for
  -- one payment which it cannot afford would take a round for each.
  FOR k IN 1 .. n LOOP
    CONTINUE WHEN results[k] <> 'again';
    place := array_position(hashes, p_hash[k]); first := sent[place];
    IF codes[place] NOT IN ('ok', 'duplicate') AND (p_wallet[k], p_amount[k], p_fee_limit[k]) = (p_wallet[first], p_amount[first], p_fee_limit[first]) THEN
      results[k] := results[first];
    END IF;
  END LOOP;
  IF begun = '{}' THEN RETURN QUERY SELECT * FROM unnest(results, about); RETURN; END IF;

  -- 4. What follows: the payment, both sides of the history, the invoice.
  INSERT INTO payment (id, account_id, wallet_id, kind, payment_hash, payment_request, amount_msat, fee_limit_msat, fee_msat, node_id, state, preimage, principal_id, client_id, finished_at)
    SELECT p_id[b], accounts[b], p_wallet[b], kinds[b], p_hash[b], p_request[b], p_amount[b], CASE kinds[b] WHEN 'ln' THEN p_fee_limit[b] ELSE 0 END,
           CASE WHEN kinds[b] <> 'ln' THEN 0 END, CASE kinds[b] WHEN 'ln' THEN p_node END, results[b], preimages[b], p_principal[b], p_client[b], CASE WHEN kinds[b] <> 'ln' THEN now() END
      FROM unnest(begun) AS b;
  history := ARRAY(
    SELECT ROW(p_id[b], p_wallet[b], 'SEND', CASE kinds[b] WHEN 'ln' THEN 'PENDING' ELSE 'SUCCESS' END,
               CASE kinds[b] WHEN 'ln' THEN -((p_amount[b] + p_fee_limit[b] + 999) / 1000 * 1000) ELSE -p_amount[b] END, CASE kinds[b] WHEN 'ln' THEN p_fee_limit[b] ELSE 0 END,
               p_memo[b], i.external_id, CASE kinds[b] WHEN 'intraledger' THEN 'intraledger' ELSE 'ln' END, CASE kinds[b] WHEN 'ln' THEN 'ln' ELSE 'intraledger' END,
               p_hash[b], p_request[b], preimages[b], payees[b], payee_names[b], NULL, p_cents_per_btc, false)::history_row
      FROM unnest(begun) AS b LEFT JOIN invoice i ON kinds[b] = 'internal' AND i.payment_hash = p_hash[b]
    UNION ALL
    -- The memo of a wallet-to-wallet payment is for both; that of somebody who pays an invoice is the payer's own note.
    SELECT ROW(gen_random_uuid(), payees[b], 'RECEIVE', 'SUCCESS', p_amount[b], 0, CASE kinds[b] WHEN 'intraledger' THEN p_memo[b] ELSE i.memo END, i.external_id,
               CASE kinds[b] WHEN 'intraledger' THEN 'intraledger' ELSE 'ln' END, 'intraledger', p_hash[b], p_request[b], preimages[b], p_wallet[b], payer_names[b], NULL, p_cents_per_btc, i.by_owner)::history_row
      FROM unnest(begun) AS b LEFT JOIN invoice i ON i.payment_hash = p_hash[b] WHERE kinds[b] <> 'ln');
  PERFORM history_add(history);
  PERFORM invoice_mark_paid(paid, 'internal');
  RETURN QUERY SELECT * FROM unnest(results, about);
END $$;

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
