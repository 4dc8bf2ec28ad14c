-- Ends the sessions of these tokens, which were found in public.
CREATE OR REPLACE FUNCTION session_leaked(p_hashes bytea[]) RETURNS integer LANGUAGE sql
SET search_path FROM CURRENT AS $$
  WITH ended AS (
    UPDATE session s SET ended_at = now() WHERE s.token_hash = ANY (p_hashes) AND s.ended_at IS NULL
    RETURNING s.id, s.user_id
  ), said AS (
    SELECT credential_revoked(ARRAY[e.id::text]),
      notice_add(e.user_id, 'secret_leaked', '{"of": "session"}') FROM ended e
  ) SELECT count(*)::integer FROM said
$$;
