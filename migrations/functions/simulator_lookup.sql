CREATE OR REPLACE FUNCTION simulator.lookup_payments(p_hash text[])
RETURNS TABLE (payment_hash text, state text, fee_msat bigint, reason text, preimage text)
LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM advance();
  RETURN QUERY
    SELECT DISTINCT ON (p.payment_hash) p.payment_hash, p.state, p.fee_msat, p.reason,
      CASE WHEN p.state = 'settled' THEN i.preimage END
      FROM payment p LEFT JOIN invoice i ON i.payment_hash = p.payment_hash
     WHERE p.payer = 'ours' AND p.payment_hash = ANY (p_hash) AND NOT p.faults ? 'forgotten'
       ORDER BY p.payment_hash, p.id DESC;
END $$;

CREATE OR REPLACE FUNCTION simulator.latest_payment_index() RETURNS TABLE (says text, payment_index bigint)
LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
BEGIN
  PERFORM reach();
  RETURN QUERY
    SELECT n.says_index,
      coalesce((SELECT p.id FROM payment p WHERE p.payer = 'ours' AND NOT p.faults ? 'forgotten'
        ORDER BY p.id DESC LIMIT 1),
        0)
      FROM node n WHERE n.name = 'ours';
END $$;

-- A real node too cancels an expired invoice, but not while a payment of it is on its way.
CREATE OR REPLACE FUNCTION simulator.lookup_invoice(p_hash text)
RETURNS TABLE (state text, settle_index bigint, amount_msat bigint) LANGUAGE plpgsql
SET search_path = simulator, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM advance();
  RETURN QUERY
    SELECT CASE WHEN i.state = 'open' AND i.expires_at <= now() AND p.id IS NULL THEN 'cancelled' ELSE i.state END,
      p.final_index, p.amount_msat
      FROM invoice i
        LEFT JOIN payment p ON p.payer = 'outside' AND p.payment_hash = i.payment_hash AND p.state <> 'failed'
     WHERE i.payment_hash = p_hash AND i.payee = 'ours';
END $$;

-- Null: there is no route.
CREATE OR REPLACE FUNCTION simulator.probe_fee(p_hash text, p_request text, p_amount bigint, p_fee_limit bigint)
RETURNS bigint LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
DECLARE
  v_cost bigint;
BEGIN
  PERFORM reach();
  SELECT route_cost(p_amount, p_fee_limit, faults) INTO v_cost FROM invoice
   WHERE payment_hash = p_hash AND payment_request = p_request AND payee <> 'ours'
     AND coalesce(amount_msat, p_amount) = p_amount
     AND coalesce(faults ->> 'fail', '') NOT IN ('no_route', 'insufficient_liquidity');
  RETURN CASE WHEN v_cost <= p_fee_limit THEN v_cost END;
END $$;

-- A restored node counts settlements from the start, and no longer knows earlier payments, which stay paid.
CREATE OR REPLACE FUNCTION simulator.restore() RETURNS void LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
BEGIN
  PERFORM FROM node WHERE name = 'outside' FOR UPDATE;
  UPDATE payment SET final_index = NULL WHERE payer = 'outside' AND final_index IS NOT NULL;
  DELETE FROM invoice WHERE payee = 'ours' AND state = 'settled';
  UPDATE node SET last_index = 0, restores = restores + 1 WHERE name = 'outside';
END $$;
