-- Scopes are in the order of the request; null: the client may refresh none.
CREATE OR REPLACE FUNCTION oauth_refresh_scopes(p_client_id text, p_granted text[]) RETURNS text[] LANGUAGE plpgsql
STABLE AS $$
BEGIN
  RETURN (SELECT array_agg(asked.scope ORDER BY asked.place)
    FROM oauth_client c, unnest(p_granted) WITH ORDINALITY AS asked (scope, place)
   WHERE c.id = p_client_id AND c.state IN ('approved', 'test') AND 'refresh_token' = ANY (c.grant_types)
     AND asked.scope = ANY (c.scopes));
END $$;

CREATE OR REPLACE FUNCTION oauth_refresh_again(shown oauth_refresh_token, p_scopes text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  access CONSTANT oauth_access_token := (SELECT t FROM oauth_access_token t WHERE t.hash = shown.successor_access_hash);
BEGIN
  IF clock_timestamp() >= shown.replay_until THEN
    PERFORM oauth_end_grants(ARRAY[shown.grant_id], 'refresh token used again');
    RETURN 'reused';
  END IF;
  RETURN CASE WHEN access.scopes @> p_scopes AND access.scopes <@ p_scopes AND shown.replay_blob IS NOT NULL
      AND EXISTS (SELECT FROM oauth_refresh_token s WHERE s.hash = shown.successor_hash AND s.used_at IS NULL)
    THEN 'replayed' ELSE 'late' END;
END $$;

-- The next pair of a refresh token, which is used up by it. RFC 6749 section 6: a narrower request narrows the access
-- token, not what the client can request next time.
CREATE OR REPLACE FUNCTION oauth_refresh_rotate(shown oauth_refresh_token, p_scopes text[], p_audience text[],
  p_ends timestamptz, p_access_hash bytea, p_refresh_hash bytea, p_blob bytea, p_jkt text, p_refresh_jkt text,
  p_access_seconds float8, p_idle_seconds float8, p_replay_seconds float8) RETURNS oauth_access_token
LANGUAGE plpgsql AS $$
DECLARE
  access oauth_access_token;
  at CONSTANT timestamptz := clock_timestamp();
BEGIN
  WITH next AS (
    INSERT INTO oauth_refresh_token (hash, grant_id, client_id, scopes, dpop_jkt, expires_at)
    VALUES (p_refresh_hash, shown.grant_id, shown.client_id, shown.scopes, p_refresh_jkt,
      least(at + make_interval(secs => p_idle_seconds), p_ends))
  ), used AS (
    UPDATE oauth_refresh_token r
       SET used_at = at, successor_hash = p_refresh_hash, successor_access_hash = p_access_hash,
           replay_blob = p_blob, replay_until = at + make_interval(secs => p_replay_seconds)
     WHERE r.hash = shown.hash
  )
  INSERT INTO oauth_access_token (hash, grant_id, scopes, audience, dpop_jkt, expires_at)
  VALUES (p_access_hash, shown.grant_id, p_scopes, p_audience, p_jkt,
    least(at + make_interval(secs => p_access_seconds), p_ends))
  RETURNING * INTO access;
  RETURN access;
END $$;

-- A client may retry a rotation for a short time; later reuse ends the grant. The caller passes the pair that it would
-- issue, as hashes, and encrypted under a key derived from the presented token. rotated | replayed (`blob` holds the
-- pair issued before) | unknown | foreign (another client's) | unproved (bound to a key that the caller has not
-- proved: a thief without the key ends nothing) | ended (grant over, or its person disabled) | expired (not used for
-- too long) | invalid_scope | invalid_target (a service that the grant is not for) | late (a retry inside the window,
-- too slow) | reused (the grant is ended)
CREATE OR REPLACE FUNCTION oauth_refresh_v2(
  p_hash bytea, p_client_id text, p_scopes text[], p_audience text[], -- null: as granted
  p_api text, -- the API's address: the audience of a grant that names none
  p_access_hash bytea, p_refresh_hash bytea, p_blob bytea, p_jkt text, p_refresh_jkt text,
  p_access_seconds float8, p_idle_seconds float8, p_replay_seconds float8)
RETURNS TABLE (outcome text, blob bytea, "grantId" uuid, "userId" uuid, "sessionId" uuid, "authTime" timestamptz,
  amr text[], "authorizationDetails" jsonb, scopes text[], "issuedAt" timestamptz, "leftSeconds" float8)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  shown  oauth_refresh_token;
  family record;
  wanted text[];
  target text[];
  access oauth_access_token;
BEGIN
  -- now() would be the time before this wait.
  SELECT r.* INTO shown FROM oauth_refresh_token r WHERE r.hash = p_hash FOR UPDATE;
  outcome := CASE WHEN shown.hash IS NULL THEN 'unknown' WHEN shown.client_id <> p_client_id THEN 'foreign'
    WHEN shown.dpop_jkt IS NOT NULL AND shown.dpop_jkt IS DISTINCT FROM p_jkt THEN 'unproved' END;
  IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
  SELECT g.*, (SELECT u.disabled_at FROM app_user u WHERE u.id = g.user_id) AS disabled_at,
      oauth_refresh_scopes(p_client_id, shown.scopes) AS allowed
    INTO family FROM oauth_grant g WHERE g.id = shown.grant_id;
  "grantId" := family.id;
  "userId" := family.user_id;
  "sessionId" := family.session_id;
  "authTime" := family.auth_time;
  amr := family.amr;
  "authorizationDetails" := family.authorization_details;
  "issuedAt" := clock_timestamp();
  wanted := coalesce(p_scopes, family.allowed);
  target := nullif(coalesce(p_audience, family.audience), ARRAY[p_api]);
  -- A token that is used again is suspicious also when its grant was ended meanwhile, perhaps by the thief.
  outcome := CASE
    WHEN family.revoked_at IS NOT NULL AND clock_timestamp() >= shown.replay_until
      THEN oauth_refresh_again(shown, wanted)
    WHEN family.revoked_at IS NOT NULL OR family.absolute_expires_at <= clock_timestamp() OR family.allowed IS NULL
      OR family.disabled_at IS NOT NULL THEN 'ended'
    WHEN NOT wanted <@ family.allowed OR cardinality(wanted) = 0 THEN 'invalid_scope'
    WHEN NOT p_audience <@ coalesce(family.audience, ARRAY[p_api]) THEN 'invalid_target' END;
  IF outcome IS NULL AND shown.used_at IS NOT NULL THEN
    outcome := oauth_refresh_again(shown, wanted);
    SELECT t.* INTO access FROM oauth_access_token t WHERE t.hash = shown.successor_access_hash;
    IF outcome = 'replayed' AND (access.audience, access.dpop_jkt) IS DISTINCT FROM (target, p_jkt) THEN
      outcome := 'late';
    END IF;
    blob := CASE WHEN outcome = 'replayed' THEN shown.replay_blob END;
  ELSIF outcome IS NULL AND shown.expires_at <= clock_timestamp() THEN
    outcome := 'expired';
  ELSIF outcome IS NULL THEN
    outcome := 'rotated';
    access := oauth_refresh_rotate(shown, wanted, target, family.absolute_expires_at, p_access_hash, p_refresh_hash,
      p_blob, p_jkt, p_refresh_jkt, p_access_seconds, p_idle_seconds, p_replay_seconds);
  END IF;
  IF outcome IN ('rotated', 'replayed') THEN
    scopes := access.scopes;
    "leftSeconds" := extract(epoch FROM access.expires_at - clock_timestamp());
  END IF;
  RETURN NEXT;
END $$;
