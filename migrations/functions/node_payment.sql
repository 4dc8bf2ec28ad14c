-- payment_begin does not pay the hashes of these payments, which the ledger does not know.

-- A payment of Sluice is in the ledger before its node gets it; a restored database may know only an earlier attempt,
-- which failed. p_is_sound: the database has lost nothing. Returns how many it may have lost.
CREATE OR REPLACE FUNCTION node_payment_note(p_node text, p_index bigint[], p_hash text[], p_state text[],
  p_amount bigint[], p_fee bigint[], p_created timestamptz[], p_is_sound boolean)
RETURNS integer LANGUAGE sql SET search_path FROM CURRENT AS $$
  WITH unknown AS (
    INSERT INTO node_payment AS n (node_id, payment_hash, payment_index, state, amount_msat, fee_msat, created_at,
      verdict)
      SELECT DISTINCT ON (f.hash) p_node, f.hash, f.index, f.state, f.amount, f.fee, f.created,
        CASE WHEN p_is_sound OR f.state = 'failed' THEN 'own' ELSE 'unexplained' END
        FROM unnest(p_index, p_hash, p_state, p_amount, p_fee, p_created) AS f (index, hash, state, amount, fee,
          created)
       WHERE NOT EXISTS (SELECT FROM payment p WHERE p.payment_hash = f.hash AND p.state IN ('in_flight', 'settled'))
         AND (NOT p_is_sound AND f.state <> 'failed'
           OR NOT EXISTS (SELECT FROM payment p WHERE p.payment_hash = f.hash AND p.state = 'failed'
             AND p.failure IS DISTINCT FROM 'known_to_node'))
       ORDER BY f.hash, f.index DESC
    ON CONFLICT (node_id, payment_hash) DO UPDATE
      SET payment_index = excluded.payment_index, state = excluded.state, fee_msat = excluded.fee_msat
    RETURNING n.verdict)
  SELECT count(*) FILTER (WHERE verdict = 'unexplained')::integer FROM unknown
$$;

-- Returns the hashes that were unexplained; NULL: none.
CREATE OR REPLACE FUNCTION node_payment_accept(p_node text, p_hash text, p_all boolean) RETURNS text[] LANGUAGE sql
SET search_path FROM CURRENT AS $$
  WITH accepted AS (UPDATE node_payment SET verdict = 'accepted'
    WHERE node_id = p_node AND verdict = 'unexplained' AND (p_all OR payment_hash = p_hash)
    RETURNING payment_hash)
  SELECT array_agg(payment_hash ORDER BY payment_hash) FROM accepted
$$;

CREATE OR REPLACE FUNCTION node_payment_end(p_node text, p_hash text, p_state text, p_fee bigint) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE node_payment SET state = p_state, fee_msat = p_fee
    WHERE node_id = p_node AND payment_hash = p_hash AND state = 'in_flight'
$$;
