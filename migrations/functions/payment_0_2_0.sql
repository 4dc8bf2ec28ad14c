-- Processes of 0.2.0 run beside this release. They could ask not to wait for locks: now they wait.

-- It states no prices, so a payment that needs one is refused, and no limits of accounts: its payments count for the
-- processes that have some. Budgets bind it.
CREATE OR REPLACE FUNCTION payment_begin(p_attempts payment_attempt[], p_node text, p_cents_per_btc bigint,
  p_skip_locked boolean) RETURNS TABLE (result text, payment_id uuid) LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN b.result LIKE '%\_budget' OR b.result = 'attempt_reused' THEN 'refused'
      WHEN b.result NOT IN ('no_price', 'amount_too_small', 'dealer_limit') THEN b.result
      WHEN (SELECT w.currency FROM wallet w WHERE w.id = (p_attempts[b.n]).wallet_id) = 'BTC'
        THEN 'wrong_recipient_currency'
      ELSE 'wrong_currency' END, b.payment_id
    FROM payment_begin_v2(p_attempts, '{}', p_node, p_cents_per_btc, 0, NULL, NULL)
      WITH ORDINALITY AS b(result, payment_id, limit_cents, n)
   ORDER BY b.n
$$;

CREATE OR REPLACE FUNCTION payment_lock(p_id uuid[], p_skip_locked boolean) RETURNS uuid[] LANGUAGE sql
SET search_path FROM CURRENT AS $$
  SELECT payment_lock(p_id);
  SELECT ARRAY(SELECT p.id FROM payment p WHERE p.id = ANY (p_id))
$$;

CREATE OR REPLACE FUNCTION payment_finish(p_resolutions payment_resolution[], p_skip_locked boolean)
RETURNS TABLE (code text, loss_msat bigint) LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT f.code, f.loss_msat FROM payment_finish(p_resolutions) AS f
$$;

CREATE OR REPLACE FUNCTION payment_dispatch(p_claims payment_claim[], p_skip_locked boolean) RETURNS text[]
LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT payment_dispatch(p_claims)
$$;

CREATE OR REPLACE FUNCTION payment_seen(p_id uuid[], p_skip_locked boolean) RETURNS text[] LANGUAGE sql
SET search_path FROM CURRENT AS $$
  SELECT payment_seen(p_id);
  SELECT array_fill('noted'::text, ARRAY[cardinality(p_id)])
$$;

-- The node was not asked.
CREATE OR REPLACE FUNCTION payment_resolve(p_id uuid, p_state text, p_fee numeric, p_preimage text, p_who text,
  p_because text, OUT code text, OUT loss bigint) LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT r.code, r.loss FROM payment_resolve_v2(p_id, p_state, p_fee, p_preimage, 'not asked', p_who, p_because) AS r
$$;

-- 0.3.0 knows nothing of senders that are gone.
CREATE OR REPLACE FUNCTION payment_not_found(p_id uuid, p_said text, p_lease_seconds integer,
  p_not_found_seconds double precision) RETURNS text LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT payment_not_found_v2(p_id, p_said, NULL, p_lease_seconds, p_not_found_seconds)
$$;
