-- A grant in force stays so until the caller's transaction ends: a disconnection waits for the lock.
CREATE OR REPLACE FUNCTION oauth_grant_lives(p_id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM oauth_grant WHERE id = p_id AND revoked_at IS NULL AND absolute_expires_at > clock_timestamp() FOR SHARE;
  RETURN FOUND;
END $$;

-- A thief may have what the app has, and may have made keys with it.
CREATE OR REPLACE FUNCTION oauth_is_suspicion(p_because text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_because IN ('authorization code used again', 'refresh token used again', 'reported as leaked')
$$;

-- Their tokens end with them: a resource reads the token's grant. By a suspicion, also one that comes after their end,
-- so do all keys that the app made for the person. Locks rows in the order of their ids. Returns the grants that this
-- call ended. A client that ends its own grant needs no message; where the session has ended, that was one.
CREATE OR REPLACE FUNCTION oauth_end_grants(p_ids uuid[], p_because text) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  ended  uuid[];
  ending timestamptz;
BEGIN
  PERFORM 1 FROM oauth_grant g WHERE g.id = ANY (p_ids) ORDER BY g.id FOR NO KEY UPDATE;
  ending := clock_timestamp();
  IF oauth_is_suspicion(p_because) THEN
    PERFORM api_key_revoke(ARRAY(SELECT k.id FROM api_key k JOIN oauth_grant g USING (user_id, client_id)
                                  WHERE g.id = ANY (p_ids)), ending);
  END IF;
  WITH closed AS (
    UPDATE oauth_grant g SET revoked_at = ending, revoked_because = p_because
     WHERE g.id = ANY (p_ids) AND g.revoked_at IS NULL
    RETURNING g.id)
  SELECT array_agg(closed.id) INTO ended FROM closed;
  PERFORM credential_revoked(ended::text[]);
  IF p_because <> 'revoked by the app' THEN
    PERFORM oauth_logout_add(ARRAY(SELECT g.id FROM oauth_grant g JOIN session s ON s.id = g.session_id
                                    WHERE g.id = ANY (ended) AND s.ended_at IS NULL));
  END IF;
  IF oauth_is_suspicion(p_because) THEN
    PERFORM notice_add(g.user_id, 'token_reused', jsonb_build_object('name', c.name), 'token_reused:' || g.id)
       FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id WHERE g.id = ANY (p_ids);
  END IF;
  RETURN QUERY SELECT unnest(ended);
END $$;

-- A sign-in through an app that is connected already is no new connection.
CREATE OR REPLACE FUNCTION oauth_app_connected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notice_add(NEW.user_id, 'app_connected', jsonb_build_object('name', c.name, 'clientId', c.id))
     FROM oauth_client c WHERE c.id = NEW.client_id AND NOT EXISTS (SELECT FROM oauth_grant g
      WHERE g.user_id = NEW.user_id AND g.client_id = NEW.client_id AND g.id <> NEW.id AND g.revoked_at IS NULL
        AND g.absolute_expires_at > now());
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_app_connected AFTER INSERT ON oauth_grant
  FOR EACH ROW EXECUTE FUNCTION oauth_app_connected();

-- A new password ends every grant that was given under the old one, unless the person keeps the apps.
CREATE OR REPLACE FUNCTION oauth_password_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('sluice.keeps_apps', true) = '1' THEN RETURN NULL; END IF;
  PERFORM oauth_end_grants(ARRAY(SELECT g.id FROM oauth_grant g WHERE g.user_id = NEW.id AND g.revoked_at IS NULL),
    'password changed');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_password_changed AFTER UPDATE OF password_hash ON app_user
  FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash) EXECUTE FUNCTION oauth_password_changed();

-- Of these ids of keys, sessions and grants those that are no credential any more; others are not judged. A key stays
-- valid when its app is disconnected, and is refused while the app is suspended. A key or grant whose owner is paused
-- is in the list as 'paused:' and its id.
CREATE OR REPLACE FUNCTION oauth_ended_credentials(p_ids text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  ids CONSTANT uuid[] := ARRAY(SELECT DISTINCT x::uuid FROM unnest(p_ids) AS x
    WHERE x ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
BEGIN
  IF ids = '{}' THEN RETURN '{}'; END IF;
  RETURN ARRAY(SELECT CASE WHEN e.has_ended THEN c.id::text ELSE 'paused:' || c.id END FROM (
      SELECT k.id, k.user_id, true AS can_pause, k.revoked_at IS NOT NULL OR (SELECT a.state FROM oauth_client a
          WHERE a.id = k.client_id) = 'suspended' AS has_ended FROM api_key k WHERE k.id = ANY (ids)
      UNION ALL SELECT s.id, s.user_id, false, s.ended_at IS NOT NULL FROM session s WHERE s.id = ANY (ids)
      UNION ALL SELECT g.id, g.user_id, true, g.revoked_at IS NOT NULL OR (SELECT a.state FROM oauth_client a
          WHERE a.id = g.client_id) NOT IN ('approved', 'test') FROM oauth_grant g WHERE g.id = ANY (ids)) AS c
    CROSS JOIN LATERAL (SELECT coalesce(c.has_ended, false)
      OR (SELECT u.disabled_at FROM app_user u WHERE u.id = c.user_id) IS NOT NULL AS has_ended) AS e
    WHERE e.has_ended OR c.can_pause AND user_is_paused(c.user_id));
END $$;
