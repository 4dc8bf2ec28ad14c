-- A client that has lost its only secret cannot get tokens any more: its developer learns it, and the operator by the
-- log.
CREATE OR REPLACE FUNCTION oauth_secrets_leaked(p_hashes bytea[]) RETURNS integer LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  ended record; lost integer := 0;
BEGIN
  FOR ended IN DELETE FROM oauth_client_secret s USING oauth_client c
      WHERE c.id = s.client_id AND s.secret_hash = ANY (p_hashes) AND (s.expires_at IS NULL OR s.expires_at > now())
      RETURNING s.id, s.client_id, c.name LOOP
    lost := lost + 1;
    PERFORM operator_action_add('leak report', 'client secret end', ended.client_id, 'reported as leaked',
      jsonb_build_object('name', ended.name, 'secretId', ended.id, 'secretsLeft',
        (SELECT count(*) FROM oauth_client_secret s
          WHERE s.client_id = ended.client_id AND (s.expires_at IS NULL OR s.expires_at > now()))));
    PERFORM notice_add(a.owner_id, 'secret_leaked', jsonb_build_object('of', 'app', 'id', a.id, 'name', a.name))
       FROM oauth_client c JOIN oauth_application a ON a.id = coalesce(c.test_of, c.id)
      WHERE c.id = ended.client_id AND a.owner_id IS NOT NULL;
  END LOOP;
  RETURN lost;
END $$;

-- Ends each live token, key and secret with one of these hashes, and what an app could have made with its token.
-- Returns how many it has ended.
CREATE OR REPLACE FUNCTION oauth_leaked(p_hashes bytea[]) RETURNS integer LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  grants CONSTANT uuid[] := ARRAY(
    SELECT grant_id FROM oauth_access_token WHERE hash = ANY (p_hashes) AND expires_at > now()
    UNION SELECT grant_id FROM oauth_refresh_token
      WHERE hash = ANY (p_hashes) AND used_at IS NULL AND expires_at > now()
    UNION SELECT grant_id FROM oauth_code WHERE hash = ANY (p_hashes) AND used_at IS NULL AND expires_at > now());
  alone integer;
BEGIN
  -- A token of a client itself has no grant.
  DELETE FROM oauth_access_token WHERE hash = ANY (p_hashes) AND client_id IS NOT NULL AND expires_at > now();
  GET DIAGNOSTICS alone = ROW_COUNT;
  RETURN alone + (SELECT count(*) FROM oauth_end_grants(grants, 'reported as leaked'))
    + api_key_leaked(p_hashes) + session_leaked(p_hashes) + oauth_secrets_leaked(p_hashes);
END $$;
