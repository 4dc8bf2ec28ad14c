-- Hold invoices of our node have no preimage until they are settled.

CREATE OR REPLACE FUNCTION simulator.add_hold_invoice(p_hash text, p_request text, p_amount bigint,
  p_expiry_seconds integer) RETURNS boolean LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
BEGIN
  PERFORM reach();
  INSERT INTO invoice (payment_hash, payee, payment_request, amount_msat, faults, created_at, expires_at)
  VALUES (p_hash, 'ours', p_request, p_amount, '{}', now(), now() + make_interval(secs => p_expiry_seconds))
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

-- Returns the state of the invoice; null: there is none of this hash.
CREATE OR REPLACE FUNCTION simulator.settle_hold(p_hash text, p_preimage text) RETURNS text LANGUAGE plpgsql
SET search_path = simulator, pg_temp AS $$
DECLARE
  v_waiting bigint;
BEGIN
  PERFORM advance();
  SELECT id INTO v_waiting FROM payment WHERE payer = 'outside' AND payment_hash = p_hash AND state = 'in_flight'
    FOR UPDATE;
  UPDATE invoice SET state = 'open', preimage = p_preimage
    WHERE payment_hash = p_hash AND payee = 'ours' AND state = 'accepted';
  IF FOUND THEN PERFORM finish('outside', ARRAY[v_waiting]); END IF;
  RETURN (SELECT state FROM lookup_invoice(p_hash));
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
