-- Invoices: the only writer of their table. Lock order: the node's cursor, invoices by payment hash, then the ledger's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Tells every process what has become of invoices; the preimage is the payer's receipt, so it goes along once they are paid, never before.
CREATE FUNCTION invoice_tell(p_hash text[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT event_add(array_agg('invoice.changed'::text), array_agg(i.payment_hash),
                   array_agg(jsonb_build_object('paymentHash', i.payment_hash, 'paymentRequest', i.payment_request, 'state', i.state,
                                                'preimage', CASE WHEN i.state = 'paid' THEN i.preimage END)))
    FROM invoice i WHERE i.payment_hash = ANY (p_hash) HAVING count(*) > 0
$$;

CREATE FUNCTION invoice_mark_paid(p_hash text[], p_via text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE invoice SET state = 'paid', settled_via = p_via, paid_at = clock_timestamp() WHERE payment_hash = ANY (p_hash) AND state <> 'paid';
  PERFORM invoice_tell(p_hash);
END $$;

-- cancelled | paid | unknown. Cancelling twice is cancelling once.
CREATE FUNCTION invoice_cancel(p_account uuid, p_wallet uuid, p_hash text) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- What a node says was paid to it, in the order of its settle index. Any number of processes may tell the same story: the cursor and the
-- ledger's key (node, hash) let it count once. Answers one code per settlement:
--   credited           the wallet has it, and the invoice is paid
--   credited_again     the invoice had been paid inside the house: two payers, and both payments are the recipient's
--   seen               at or below the cursor
--   unclaimed          no invoice of ours: credited to the house's account for money that somebody has to look at
--   refused            no amount that anybody can have paid, or what the ledger does not take, such as another amount than it has booked for
--                      this hash. Nothing is credited; somebody has to look. The cursor passes it, or nobody would receive any more
-- Amounts travel as numeric: one that fits no bigint must not be everybody's parse error.
CREATE FUNCTION invoice_settle(p_node text, p_index bigint[], p_hash text[], p_msat numeric[]) RETURNS text[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  c_lightning CONSTANT bigint := -1;
  c_unclaimed CONSTANT bigint := -6;
  c_max CONSTANT bigint := 2100000000000000000;  -- the ledger's: all the bitcoin there can be
  c_kind CONSTANT smallint := 2;
  seen bigint; found invoice; ledger_id bigint; codes text[]; k int;
  result text[] := array_fill('seen'::text, ARRAY[cardinality(p_hash)]);
  sent int[] := '{}'; idem uuid[] := '{}'; leg_op int[] := '{}'; leg_account bigint[] := '{}'; leg_amount numeric[] := '{}';
  history history_row[] := '{}'; paid text[] := '{}';
BEGIN
  INSERT INTO settlement_cursor VALUES (p_node, 0) ON CONFLICT DO NOTHING;
  SELECT settle_index INTO seen FROM settlement_cursor WHERE node_id = p_node FOR NO KEY UPDATE;
  PERFORM 1 FROM invoice WHERE payment_hash = ANY (p_hash) ORDER BY payment_hash FOR NO KEY UPDATE;
  FOR k IN 1 .. cardinality(p_hash) LOOP
    CONTINUE WHEN p_index[k] <= seen;
    seen := p_index[k];
    result[k] := 'refused';
    CONTINUE WHEN (p_msat[k] BETWEEN 1 AND c_max) IS NOT TRUE;
    SELECT * INTO found FROM invoice WHERE payment_hash = p_hash[k];
    SELECT ledger_account_id INTO ledger_id FROM wallet WHERE id = found.wallet_id;
    result[k] := CASE WHEN found.payment_hash IS NULL THEN 'unclaimed' WHEN found.state = 'paid' THEN 'credited_again' ELSE 'credited' END;
    sent := sent || k;
    idem := idem || md5(concat_ws('|', 'ln', p_node, p_hash[k]))::uuid;
    leg_op := leg_op || ARRAY[cardinality(sent), cardinality(sent)];
    leg_account := leg_account || ARRAY[c_lightning, coalesce(ledger_id, c_unclaimed)];
    leg_amount := leg_amount || ARRAY[-p_msat[k], p_msat[k]];
  END LOOP;
  UPDATE settlement_cursor SET settle_index = seen WHERE node_id = p_node AND settle_index < seen;
  IF sent = '{}' THEN RETURN result; END IF;
  codes := ledger_apply(array_fill('post'::text, ARRAY[cardinality(sent)]), idem, array_fill(c_kind, ARRAY[cardinality(sent)]), leg_op, leg_account, leg_amount);
  FOR m IN 1 .. cardinality(sent) LOOP
    k := sent[m];
    IF codes[m] = 'duplicate' THEN   -- a cursor that was lost: the money is booked already
      result[k] := 'seen';
    ELSIF codes[m] <> 'ok' THEN
      result[k] := 'refused';
    ELSIF result[k] <> 'unclaimed' THEN
      SELECT * INTO found FROM invoice WHERE payment_hash = p_hash[k];
      paid := paid || found.payment_hash;
      history := history || ROW(gen_random_uuid(), found.wallet_id, 'RECEIVE', 'SUCCESS', p_msat[k], 0, found.memo, found.external_id, 'ln', 'ln',
        found.payment_hash, found.payment_request, found.preimage, NULL, NULL, NULL, found.cents_per_btc)::history_row;
    END IF;
  END LOOP;
  PERFORM history_add(history);
  PERFORM invoice_mark_paid(paid, 'ln');
  RETURN result;
END $$;
