-- The simulated chain and the wallet on it. What changes the chain or a lease locks the row of `chain` first.

-- Every call of the wallet begins with this. Returns whether its answer is to be lost, which happens once.
CREATE OR REPLACE FUNCTION simulated_chain.reach(p_call text) RETURNS boolean LANGUAGE plpgsql
SET search_path = simulated_chain, pg_temp AS $$
BEGIN
  PERFORM simulator.reach();
  -- At most one block a call, however long the wallet was not called.
  IF EXISTS (SELECT FROM chain WHERE block_seconds > 0 AND (SELECT mined_at FROM block ORDER BY height DESC LIMIT 1)
               < now() - make_interval(secs => block_seconds)) THEN
    PERFORM mine(1);
  END IF;
  UPDATE chain SET lost_answers = array_remove(lost_answers, p_call) WHERE p_call = ANY (lost_answers);
  RETURN FOUND;
END $$;

-- The first new block confirms all that is in the mempool. Returns the height of the last one.
CREATE OR REPLACE FUNCTION simulated_chain.mine(p_blocks integer) RETURNS bigint LANGUAGE plpgsql
SET search_path = simulated_chain, pg_temp AS $$
DECLARE
  v_height bigint;
BEGIN
  PERFORM FROM chain FOR UPDATE;
  SELECT max(height) INTO v_height FROM block;
  INSERT INTO block (height) SELECT v_height + n FROM generate_series(1, p_blocks) AS n;
  UPDATE transaction SET state = 'confirmed', height = v_height + 1 WHERE state = 'mempool';
  RETURN v_height + p_blocks;
END $$;

-- A longer chain of empty blocks replaces the latest ones, whose transactions are in the mempool again.
CREATE OR REPLACE FUNCTION simulated_chain.reorganise(p_depth integer) RETURNS bigint LANGUAGE plpgsql
SET search_path = simulated_chain, pg_temp AS $$
DECLARE
  v_fork bigint;
BEGIN
  PERFORM FROM chain FOR UPDATE;
  SELECT max(height) - p_depth INTO v_fork FROM block;
  UPDATE transaction SET state = 'mempool', height = NULL WHERE height > v_fork;
  DELETE FROM block WHERE height > v_fork;
  INSERT INTO block (height) SELECT v_fork + n FROM generate_series(1, p_depth + 1) AS n;
  RETURN v_fork + p_depth + 1;
END $$;

-- A transaction leaves the mempool with all that spend its outputs. Returns their number.
CREATE OR REPLACE FUNCTION simulated_chain.drop_transaction(p_txid text) RETURNS integer LANGUAGE plpgsql
SET search_path = simulated_chain, pg_temp AS $$
DECLARE
  v_dropped integer;
BEGIN
  PERFORM FROM chain FOR UPDATE;
  WITH RECURSIVE leaving(txid) AS (
    SELECT t.txid FROM transaction t WHERE t.txid = p_txid AND t.state = 'mempool'
    UNION
    SELECT i.txid FROM leaving l JOIN input i ON i.previous_txid = l.txid
  )
  UPDATE transaction t SET state = 'gone' FROM leaving l WHERE t.txid = l.txid AND t.state = 'mempool';
  GET DIAGNOSTICS v_dropped = ROW_COUNT;
  RETURN v_dropped;
END $$;

-- The transactions of the chain and of the mempool that spend one of these outputs.
CREATE OR REPLACE FUNCTION simulated_chain.spenders(p_txid text[], p_vout integer[])
RETURNS SETOF simulated_chain.transaction LANGUAGE sql STABLE SET search_path = simulated_chain, pg_temp AS $$
  SELECT * FROM transaction
   WHERE state <> 'gone'
     AND txid IN (SELECT i.txid FROM unnest(p_txid, p_vout) AS o(txid, vout)
                    JOIN input i ON i.previous_txid = o.txid AND i.previous_vout = o.vout)
$$;

-- Why the mempool does not take a transaction; null: it does. BIP 125 in short: it replaces those that spend its inputs
-- if all of them permit it and it pays more than they do.
CREATE OR REPLACE FUNCTION simulated_chain.refusal(p_fee bigint, p_vsize integer, p_inputs_known boolean, p_txid text[],
  p_vout integer[])
RETURNS text LANGUAGE sql STABLE SET search_path = simulated_chain, pg_temp AS $$
  SELECT CASE
      WHEN p_inputs_known AND EXISTS (
        SELECT FROM unnest(p_txid, p_vout) AS i(txid, vout)
         WHERE NOT EXISTS (SELECT FROM output o JOIN transaction t ON t.txid = o.txid AND t.state <> 'gone'
                            WHERE o.txid = i.txid AND o.vout = i.vout)) THEN 'an input is missing'
      WHEN bool_or(state = 'confirmed' OR NOT signals) THEN 'another transaction spends an input'
      WHEN p_fee < p_vsize + coalesce(sum(fee_sats), 0) THEN 'the fee is too low' END
    FROM spenders(p_txid, p_vout)
$$;

-- p_outside: the sum of the inputs of a transaction that spends outputs which are not recorded here.
CREATE OR REPLACE FUNCTION simulated_chain.broadcast(p_txid text, p_vsize integer, p_signals boolean, p_label text,
  p_outside bigint, p_input_txid text[], p_input_vout integer[], p_address text[], p_sats bigint[])
RETURNS text LANGUAGE plpgsql SET search_path = simulated_chain, pg_temp AS $$
DECLARE
  v_fee bigint;
  v_refusal text;
BEGIN
  PERFORM FROM chain FOR UPDATE;
  IF EXISTS (SELECT FROM transaction WHERE txid = p_txid AND state <> 'gone') THEN RETURN NULL; END IF;
  SELECT coalesce(p_outside, sum(o.sats), 0) - (SELECT sum(s) FROM unnest(p_sats) AS s) INTO v_fee
    FROM unnest(p_input_txid, p_input_vout) AS i(txid, vout) JOIN output o ON o.txid = i.txid AND o.vout = i.vout;
  v_refusal := refusal(v_fee, p_vsize, p_outside IS NULL, p_input_txid, p_input_vout);
  IF v_refusal IS NOT NULL THEN RETURN v_refusal; END IF;
  PERFORM drop_transaction(replaced.txid) FROM spenders(p_input_txid, p_input_vout) AS replaced;
  INSERT INTO transaction (txid, fee_sats, signals, label) VALUES (p_txid, v_fee, p_signals, p_label)
    ON CONFLICT (txid) DO UPDATE SET state = 'mempool';
  INSERT INTO input SELECT p_txid, i.txid, i.vout FROM unnest(p_input_txid, p_input_vout) AS i(txid, vout)
    ON CONFLICT DO NOTHING;
  INSERT INTO output SELECT p_txid, o.vout - 1, o.address, o.sats
    FROM unnest(p_address, p_sats) WITH ORDINALITY AS o(address, sats, vout)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- The outputs of the wallet that no transaction spends, each with the lease that has not run out.
CREATE OR REPLACE VIEW simulated_chain.coin AS
  SELECT o.txid, o.vout, a.address, a.position, o.sats, t.height, l.id AS lease_id
    FROM simulated_chain.output o
      JOIN simulated_chain.address a ON a.address = o.address
      JOIN simulated_chain.transaction t ON t.txid = o.txid AND t.state <> 'gone'
      LEFT JOIN simulated_chain.lease l ON l.txid = o.txid AND l.vout = o.vout AND l.expires_at > clock_timestamp()
   WHERE NOT EXISTS (
     SELECT FROM simulated_chain.input i JOIN simulated_chain.transaction s ON s.txid = i.txid AND s.state <> 'gone'
      WHERE i.previous_txid = o.txid AND i.previous_vout = o.vout);

-- All of these outputs, or none: not if one is leased to another, is missing, or was spent in a block.
CREATE OR REPLACE FUNCTION simulated_chain.take_lease(p_id text, p_seconds integer, p_txid text[], p_vout integer[])
RETURNS boolean LANGUAGE plpgsql SET search_path = simulated_chain, pg_temp AS $$
BEGIN
  PERFORM FROM chain FOR UPDATE;
  IF EXISTS (SELECT FROM unnest(p_txid, p_vout) AS o(txid, vout) JOIN lease l ON l.txid = o.txid AND l.vout = o.vout
              WHERE l.id <> p_id AND l.expires_at > clock_timestamp())
    OR EXISTS (SELECT FROM spenders(p_txid, p_vout) WHERE state = 'confirmed')
    OR refusal(0, 0, true, p_txid, p_vout) = 'an input is missing' THEN
    RETURN false;
  END IF;
  INSERT INTO lease (txid, vout, id, expires_at)
    SELECT o.txid, o.vout, p_id, clock_timestamp() + make_interval(secs => p_seconds)
      FROM unnest(p_txid, p_vout) AS o(txid, vout)
    ON CONFLICT (txid, vout) DO UPDATE SET id = EXCLUDED.id, expires_at = EXCLUDED.expires_at;
  RETURN true;
END $$;

-- A page of the transactions that pay the wallet or spend its outputs, in blocks from a height on and in the mempool.
CREATE OR REPLACE FUNCTION simulated_chain.wallet_transactions(p_height bigint, p_after bigint, p_limit integer)
RETURNS TABLE (id bigint, txid text, height bigint, block_hash text, seen_at timestamptz, label text, outputs jsonb,
  spends jsonb)
LANGUAGE sql STABLE SET search_path = simulated_chain, pg_temp AS $$
  SELECT t.id, t.txid, t.height, b.hash, t.seen_at, t.label, paid.outputs, spent.spends
    FROM transaction t
      LEFT JOIN block b ON b.height = t.height
      CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('vout', o.vout, 'address', o.address, 'sats', o.sats,
                 'isOurs', a.position IS NOT NULL) ORDER BY o.vout) AS outputs,
               bool_or(a.position IS NOT NULL) AS pays_us
          FROM output o LEFT JOIN address a ON a.address = o.address WHERE o.txid = t.txid) AS paid
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('txid', o.txid, 'vout', o.vout)), '[]') AS spends
          FROM input i JOIN output o ON o.txid = i.previous_txid AND o.vout = i.previous_vout
            JOIN address a ON a.address = o.address WHERE i.txid = t.txid) AS spent
   WHERE (t.state = 'mempool' OR t.height >= p_height) AND t.id > p_after AND (paid.pays_us OR spent.spends <> '[]')
   ORDER BY t.id LIMIT p_limit
$$;

-- Where a transaction of the wallet is; for one that is gone, the transaction in a block that spends one of its inputs.
CREATE OR REPLACE FUNCTION simulated_chain.lookup(p_txid text)
RETURNS TABLE (state text, height bigint, block_hash text, replaced_by text)
LANGUAGE sql STABLE SET search_path = simulated_chain, pg_temp AS $$
  SELECT t.state, coalesce(t.height, r.height), b.hash, r.txid
    FROM transaction t
      LEFT JOIN block b ON b.height = t.height
      LEFT JOIN LATERAL (
        SELECT s.txid, s.height FROM spenders((SELECT array_agg(previous_txid ORDER BY previous_txid, previous_vout)
            FROM input WHERE txid = t.txid), (SELECT array_agg(previous_vout ORDER BY previous_txid, previous_vout)
            FROM input WHERE txid = t.txid)) AS s
         WHERE t.state = 'gone' AND s.state = 'confirmed' ORDER BY s.height LIMIT 1) AS r ON true
   WHERE t.txid = p_txid
     AND (EXISTS (SELECT FROM output o JOIN address a ON a.address = o.address WHERE o.txid = t.txid)
       OR EXISTS (SELECT FROM input i JOIN output o ON o.txid = i.previous_txid AND o.vout = i.previous_vout
                    JOIN address a ON a.address = o.address WHERE i.txid = t.txid))
$$;
