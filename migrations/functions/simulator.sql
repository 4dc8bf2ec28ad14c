-- Time is the database's, so any process that polls next advances a payment. Lock order: payments (those that others
-- hold are skipped), their invoices, the payer's row in `node`.

-- Every call of our node begins with this. The error is that of a database that cannot be connected to.
CREATE OR REPLACE FUNCTION simulator.reach() RETURNS void LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
BEGIN
  IF (SELECT away FROM node WHERE name = 'ours') THEN
    RAISE EXCEPTION 'the simulated node is away' USING ERRCODE = 'cannot_connect_now';
  END IF;
END $$;

-- A payment settles if it has no reason to fail and finds the invoice open.
CREATE OR REPLACE FUNCTION simulator.finish(p_payer text, p_id bigint[]) RETURNS void LANGUAGE plpgsql
SET search_path = simulator, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  v_settled bigint[];
BEGIN
  WITH won AS (
    UPDATE invoice i SET state = 'settled' FROM payment p
     WHERE p.id = ANY (p_id) AND p.state = 'in_flight' AND p.reason IS NULL AND i.payment_hash = p.payment_hash
       AND i.state = 'open'
    RETURNING p.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_settled FROM won;
  -- Only settled payments to us are counted; a gap in the count is a fault that a real node can have too.
  WITH counted AS (
    SELECT id, sum(1 + coalesce((faults ->> 'settleIndexGap')::int, 0)) OVER (ORDER BY id) AS step
      FROM payment WHERE id = ANY (p_id) AND state = 'in_flight' AND (p_payer = 'ours' OR id = ANY (v_settled))
  ), counter AS (
    UPDATE node SET last_index = last_index + (SELECT max(step) FROM counted)
      WHERE name = p_payer AND EXISTS (SELECT FROM counted)
    RETURNING last_index - (SELECT max(step) FROM counted) AS base
  )
  UPDATE payment p
     SET state = CASE WHEN p.id = ANY (v_settled) THEN 'settled' ELSE 'failed' END,
         reason = CASE WHEN p.id = ANY (v_settled) THEN NULL ELSE coalesce(p.reason, 'cancelled') END,
         final_at = now(),
         final_index = (SELECT base FROM counter) + (SELECT step FROM counted c WHERE c.id = p.id)
   WHERE p.id = ANY (p_id) AND p.state = 'in_flight';
END $$;

CREATE OR REPLACE FUNCTION simulator.advance() RETURNS void LANGUAGE plpgsql SET search_path = simulator, pg_temp
SET enable_seqscan = off AS $$
DECLARE
  v_payer text;
  v_due bigint[];
BEGIN
  PERFORM reach();
  FOREACH v_payer IN ARRAY ARRAY['ours', 'outside'] LOOP
    SELECT array_agg(id) INTO v_due FROM (
      SELECT id FROM payment WHERE payer = v_payer AND state = 'in_flight' AND due_at <= now() ORDER BY due_at LIMIT 500
        FOR UPDATE SKIP LOCKED
    ) AS due;
    IF v_due IS NOT NULL THEN PERFORM finish(v_payer, v_due); END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION simulator.tick() RETURNS TABLE (ours bigint, outside bigint, due_in_ms integer)
LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
BEGIN
  PERFORM advance();
  RETURN QUERY
    SELECT (SELECT last_index FROM node WHERE name = 'ours'), (SELECT last_index FROM node WHERE name = 'outside'),
           (SELECT least(ceil(extract(epoch FROM min(p.due_at) - clock_timestamp()) * 1000), 60000)::int FROM payment p
             WHERE p.state = 'in_flight');
END $$;

CREATE OR REPLACE FUNCTION simulator.add_invoices(
  p_payee text, p_hash text[], p_request text[], p_preimage text[], p_amount bigint[], p_age_seconds integer[],
    p_expiry_seconds integer[], p_faults jsonb[]
) RETURNS SETOF text LANGUAGE plpgsql SET search_path = simulator, pg_temp AS $$
BEGIN
  IF p_payee = 'ours' THEN PERFORM reach(); END IF;
  RETURN QUERY
    INSERT INTO invoice AS i (payment_hash, payee, payment_request, preimage, amount_msat, faults, created_at,
      expires_at)
    SELECT a.hash, p_payee, a.request, a.preimage, a.amount, a.faults,
           now() - make_interval(secs => a.age), now() - make_interval(secs => a.age) + make_interval(secs => a.expiry)
      FROM unnest(p_hash, p_request, p_preimage, p_amount, p_age_seconds, p_expiry_seconds, p_faults) AS a(hash,
        request, preimage, amount, age, expiry, faults)
     ORDER BY a.hash
    ON CONFLICT DO NOTHING RETURNING i.payment_hash;
END $$;

CREATE OR REPLACE FUNCTION simulator.route_cost(p_amount bigint, p_fee_limit bigint, p_faults jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = simulator, pg_temp AS $$
  SELECT CASE WHEN p_faults ->> 'routeFeeMsat' = 'limit' THEN p_fee_limit
              ELSE coalesce((p_faults ->> 'routeFeeMsat')::bigint, least(p_fee_limit, 1000 + p_amount / 1000)) END;
$$;

-- One row per request, in order: why it was refused at once, and the latest attempt of the hash, which this call
-- (`begun`) or an earlier one began. Refused attempts of our node are stored as failed.
CREATE OR REPLACE FUNCTION simulator.send(p_payer text, p_hash text[], p_request text[], p_amount bigint[],
  p_fee_limit bigint[], p_faults jsonb[])
RETURNS TABLE (refusal text, begun boolean, state text, amount_msat bigint, fee_msat bigint, reason text, preimage text,
  final_index bigint, faults jsonb)
LANGUAGE plpgsql SET search_path = simulator, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_refusal text[];
  v_begun bigint[];
  v_due bigint[];
BEGIN
  IF p_payer = 'ours' THEN PERFORM reach(); END IF;
  WITH asked AS (
    SELECT a.ord, a.hash, t.amount, t.faults, c.cost + coalesce((t.faults ->> 'overchargeMsat')::bigint, 0) AS fee,
           CASE WHEN p_payer = 'outside' AND (SELECT away FROM node WHERE name = 'ours') THEN 'unreachable'
                WHEN t.faults ? 'notSent' THEN 'not_sent'
                WHEN t.faults ? 'lost' THEN 'lost'
                WHEN i.payment_hash IS NULL THEN 'unknown_invoice'
                WHEN i.state = 'cancelled' THEN 'cancelled'
                WHEN i.state = 'settled' THEN 'already_paid'
                WHEN i.expires_at <= now() THEN 'expired'
                WHEN t.amount IS NULL THEN 'amount_required'
                WHEN t.amount < i.amount_msat THEN 'amount_too_low'
                WHEN t.amount > i.amount_msat * CASE p_payer WHEN 'ours' THEN 1 ELSE 2 END THEN 'amount_too_high'
                WHEN c.cost > a.fee_limit THEN 'no_route'
           END AS refusal
      FROM unnest(p_hash, p_request, p_amount, p_fee_limit, p_faults) WITH ORDINALITY AS a(hash, request, amount,
        fee_limit, faults, ord)
      LEFT JOIN invoice i ON i.payment_hash = a.hash AND i.payment_request = a.request AND i.payee <> p_payer
     CROSS JOIN LATERAL (SELECT coalesce(a.amount, i.amount_msat) AS amount,
       coalesce(i.faults, '{}') || coalesce(a.faults, '{}') AS faults) AS t
     CROSS JOIN LATERAL (
       -- Fees of the outside are not simulated.
       SELECT CASE WHEN p_payer = 'outside' THEN 0 ELSE route_cost(t.amount, a.fee_limit, t.faults) END AS cost
     ) AS c
  ), sent AS (
    INSERT INTO payment AS p (payer, payment_hash, amount_msat, fee_msat, reason, faults, due_at)
    SELECT p_payer, hash, amount, fee, coalesce(refusal, faults ->> 'fail'), faults,
           CASE WHEN refusal IS NOT NULL THEN now()
             WHEN NOT faults ?| ARRAY['hold', 'cancelRace'] THEN now()
               + coalesce((faults ->> 'delayMs')::float8, 0) * interval '1 ms' END
      FROM asked WHERE refusal IS NULL OR (p_payer = 'ours' AND refusal NOT IN ('lost', 'not_sent')) ORDER BY hash
    ON CONFLICT (payer, payment_hash) WHERE state <> 'failed' DO NOTHING
    RETURNING p.id, p.due_at
  )
  SELECT (SELECT array_agg(refusal ORDER BY ord) FROM asked), (SELECT array_agg(id) FROM sent),
    (SELECT array_agg(id) FROM sent WHERE due_at <= now())
    INTO v_refusal, v_begun, v_due;
  IF v_due IS NOT NULL THEN PERFORM finish(p_payer, v_due); END IF;
  RETURN QUERY
    SELECT v_refusal[a.ord], coalesce(p.id = ANY (v_begun), false), p.state, p.amount_msat, p.fee_msat, p.reason,
           CASE WHEN p.state = 'settled' THEN i.preimage END, p.final_index, p.faults
      FROM unnest(p_hash) WITH ORDINALITY AS a(hash, ord)
      LEFT JOIN LATERAL (SELECT * FROM payment l WHERE l.payer = p_payer AND l.payment_hash = a.hash
        ORDER BY l.id DESC LIMIT 1) AS p ON true
      LEFT JOIN invoice i ON i.payment_hash = a.hash
     ORDER BY a.ord;
END $$;

CREATE OR REPLACE FUNCTION simulator.release(p_hash text, p_reason text) RETURNS boolean LANGUAGE plpgsql
SET search_path = simulator, pg_temp AS $$
DECLARE
  v_payer text;
  v_id bigint;
BEGIN
  UPDATE payment SET reason = coalesce(p_reason, reason), due_at = now()
    WHERE payment_hash = p_hash AND state = 'in_flight' AND payer IN ('ours', 'outside')
  RETURNING payer, id INTO v_payer, v_id;
  IF v_id IS NULL THEN RETURN false; END IF;
  PERFORM finish(v_payer, ARRAY[v_id]);
  RETURN true;
END $$;

-- A payment on its way to a cancelled invoice fails, unless its fault makes it win this race.
CREATE OR REPLACE FUNCTION simulator.cancel(p_hash text[]) RETURNS TABLE (payment_hash text, state text)
LANGUAGE plpgsql SET search_path = simulator, pg_temp SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_coming bigint[];
  v_winning bigint[];
BEGIN
  PERFORM reach();
  SELECT array_agg(id), array_agg(id) FILTER (WHERE due_at <= now() OR faults ? 'cancelRace') INTO v_coming, v_winning
    FROM (SELECT * FROM payment WHERE payer = 'outside' AND payment_hash = ANY (p_hash) AND state = 'in_flight'
      ORDER BY id FOR UPDATE) AS coming;
  PERFORM FROM invoice WHERE payment_hash = ANY (p_hash) ORDER BY payment_hash FOR NO KEY UPDATE;
  IF v_winning IS NOT NULL THEN PERFORM finish('outside', v_winning); END IF;
  UPDATE invoice SET state = 'cancelled'
    WHERE payment_hash = ANY (p_hash) AND payee = 'ours' AND state = 'open';
  IF v_coming IS NOT NULL THEN PERFORM finish('outside', v_coming); END IF;
  RETURN QUERY SELECT payment_hash, state FROM invoice WHERE payment_hash = ANY (p_hash) AND payee = 'ours';
END $$;
