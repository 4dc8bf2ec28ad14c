-- A client may retry a rotation for a short time; later reuse ends the grant. The caller passes the pair that it would
-- issue, as hashes, and encrypted under a key derived from the presented token. rotated | replayed (`blob` holds the
-- pair issued before) | unknown | foreign (another client's) | unproved (bound to a key that the caller has not
-- proved: a thief without the key ends nothing) | ended (grant over, or its person disabled) | expired (not used for
-- too long) | invalid_scope | invalid_target (a service that the grant is not for) | late (a retry inside the window,
-- too slow) | reused (the grant is ended)

-- Scopes are in the order of the request; null: the client may refresh none.
CREATE OR REPLACE FUNCTION oauth_refresh_scopes(p_client_id text, p_granted text[]) RETURNS text[] LANGUAGE sql
STABLE AS $$
  SELECT array_agg(asked.scope ORDER BY asked.place)
    FROM oauth_client c, unnest(p_granted) WITH ORDINALITY AS asked (scope, place)
   WHERE c.id = p_client_id AND c.state IN ('approved', 'test') AND 'refresh_token' = ANY (c.grant_types)
     AND asked.scope = ANY (c.scopes)
$$;

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

-- Why a token was not rotated; or what its rotation has issued before.
CREATE OR REPLACE FUNCTION oauth_refresh_refuse(p_hash bytea, p_client_id text, p_scopes text[], p_audience text[],
  p_api text, p_jkt text)
RETURNS TABLE (outcome text, blob bytea, "userId" uuid, "sessionId" uuid, "authTime" timestamptz, amr text[],
  "authorizationDetails" jsonb, scopes text[], "issuedAt" timestamptz, "leftSeconds" float8) LANGUAGE plpgsql AS $$
DECLARE
  shown   CONSTANT oauth_refresh_token := (SELECT r FROM oauth_refresh_token r WHERE r.hash = p_hash);
  family  CONSTANT oauth_grant := (SELECT g FROM oauth_grant g WHERE g.id = shown.grant_id);
  allowed CONSTANT text[] := oauth_refresh_scopes(p_client_id, shown.scopes);
  wanted  CONSTANT text[] := coalesce(p_scopes, allowed);
  target  CONSTANT text[] := nullif(coalesce(p_audience, family.audience), ARRAY[p_api]);
  access  CONSTANT oauth_access_token :=
    (SELECT t FROM oauth_access_token t WHERE t.hash = shown.successor_access_hash);
BEGIN
  -- A token that is used again is suspicious also when its grant was ended meanwhile, perhaps by the thief.
  outcome := CASE WHEN shown.hash IS NULL THEN 'unknown' WHEN shown.client_id <> p_client_id THEN 'foreign'
    WHEN shown.dpop_jkt IS NOT NULL AND shown.dpop_jkt IS DISTINCT FROM p_jkt THEN 'unproved'
    WHEN family.revoked_at IS NOT NULL AND clock_timestamp() >= shown.replay_until
      THEN oauth_refresh_again(shown, wanted)
    WHEN family.revoked_at IS NOT NULL OR family.absolute_expires_at <= clock_timestamp() OR allowed IS NULL
      OR EXISTS (SELECT FROM app_user u WHERE u.id = family.user_id AND u.disabled_at IS NOT NULL) THEN 'ended'
    WHEN NOT wanted <@ allowed OR cardinality(wanted) = 0 THEN 'invalid_scope'
    WHEN NOT p_audience <@ coalesce(family.audience, ARRAY[p_api]) THEN 'invalid_target'
    WHEN shown.used_at IS NOT NULL THEN oauth_refresh_again(shown, wanted)
    ELSE 'expired' END;
  IF outcome = 'replayed' AND (access.audience, access.dpop_jkt) IS DISTINCT FROM (target, p_jkt) THEN
    outcome := 'late';
  END IF;
  IF outcome = 'replayed' THEN
    SELECT shown.replay_blob, family.user_id, family.session_id, family.auth_time, family.amr,
           family.authorization_details, access.scopes, clock_timestamp(),
           extract(epoch FROM access.expires_at - clock_timestamp())
      INTO blob, "userId", "sessionId", "authTime", amr, "authorizationDetails", scopes, "issuedAt", "leftSeconds";
  END IF;
  RETURN NEXT;
END $$;

-- Rotates all at once that nothing speaks against, and says of the others what does. Lists of scopes and services are
-- texts with spaces; null: as granted. p_api is the API's address: the audience of a grant that names none. Locks
-- tokens in the order of their hashes, so that two processes cannot deadlock.
CREATE OR REPLACE FUNCTION oauth_refresh_v2(p_hashes bytea[], p_clients text[], p_scopes text[], p_audiences text[],
  p_access_hashes bytea[], p_refresh_hashes bytea[], p_blobs bytea[], p_jkts text[], p_refresh_jkts text[],
  p_api text, p_access_seconds float8, p_idle_seconds float8, p_replay_seconds float8)
RETURNS TABLE (place integer, outcome text, blob bytea, "userId" uuid, "sessionId" uuid, "authTime" timestamptz,
  amr text[], "authorizationDetails" jsonb, scopes text[], "issuedAt" timestamptz, "leftSeconds" float8)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  rotated integer;
BEGIN
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT DISTINCT ON (x.hash) x.*, string_to_array(x.scope, ' ') AS scopes, string_to_array(x.resource, ' ') AS target
      FROM unnest(p_hashes, p_clients, p_scopes, p_audiences, p_access_hashes, p_refresh_hashes, p_blobs, p_jkts,
        p_refresh_jkts) WITH ORDINALITY AS x (hash, client_id, scope, resource, access_hash, refresh_hash, blob, jkt,
        refresh_jkt, place) ORDER BY x.hash, x.place
  ), shown AS MATERIALIZED (
    SELECT r.* FROM oauth_refresh_token r WHERE r.hash = ANY (p_hashes) ORDER BY r.hash FOR UPDATE
  ), live AS MATERIALIZED (
    SELECT a.place, a.hash, a.access_hash, a.refresh_hash, a.blob, a.jkt, a.refresh_jkt, s.grant_id, s.client_id,
           s.scopes AS granted, coalesce(a.scopes, may.scopes) AS scopes, g.absolute_expires_at AS ends, g.user_id,
           g.session_id, g.auth_time, g.amr, g.authorization_details,
           nullif(coalesce(a.target, g.audience), ARRAY[p_api]) AS audience
      FROM asked a JOIN shown s USING (hash, client_id) JOIN oauth_grant g ON g.id = s.grant_id
      JOIN app_user u ON u.id = g.user_id AND u.disabled_at IS NULL
     CROSS JOIN LATERAL (SELECT oauth_refresh_scopes(s.client_id, s.scopes) AS scopes) AS may
     WHERE s.used_at IS NULL AND s.expires_at > clock_timestamp() AND coalesce(s.dpop_jkt = a.jkt, s.dpop_jkt IS NULL)
       AND g.revoked_at IS NULL AND g.absolute_expires_at > clock_timestamp()
       AND coalesce(a.scopes, may.scopes) <@ may.scopes AND cardinality(coalesce(a.scopes, may.scopes)) > 0
       AND coalesce(a.target <@ coalesce(g.audience, ARRAY[p_api]), true)
  ), access AS (
    INSERT INTO oauth_access_token (hash, grant_id, scopes, audience, dpop_jkt, expires_at)
      SELECT l.access_hash, l.grant_id, l.scopes, l.audience, l.jkt,
             least(clock_timestamp() + make_interval(secs => p_access_seconds), l.ends) FROM live l
    RETURNING hash, expires_at
  ), next AS (
    -- RFC 6749 section 6: a narrower request narrows the access token, not what the client can request next time.
    INSERT INTO oauth_refresh_token (hash, grant_id, client_id, scopes, dpop_jkt, expires_at)
      SELECT l.refresh_hash, l.grant_id, l.client_id, l.granted, l.refresh_jkt,
             least(clock_timestamp() + make_interval(secs => p_idle_seconds), l.ends) FROM live l
  ), used AS (
    UPDATE oauth_refresh_token r SET used_at = clock_timestamp(), successor_hash = l.refresh_hash,
           successor_access_hash = l.access_hash, replay_blob = l.blob,
           replay_until = clock_timestamp() + make_interval(secs => p_replay_seconds)
      FROM live l WHERE r.hash = l.hash
  )
  SELECT l.place::integer, 'rotated', NULL::bytea, l.user_id, l.session_id, l.auth_time, l.amr, l.authorization_details,
         l.scopes, clock_timestamp(), extract(epoch FROM t.expires_at - clock_timestamp())::float8
    FROM live l JOIN access t ON t.hash = l.access_hash;
  GET DIAGNOSTICS rotated = ROW_COUNT;
  IF rotated = cardinality(p_hashes) THEN RETURN; END IF;
  -- In a new snapshot: it sees what a caller has stored that held a lock before.
  RETURN QUERY
  SELECT a.place::integer, r.* FROM (
    SELECT x.* FROM unnest(p_hashes, p_clients, p_scopes, p_audiences, p_access_hashes, p_jkts)
      WITH ORDINALITY AS x (hash, client_id, scope, resource, access_hash, jkt, place)
     WHERE NOT EXISTS (SELECT FROM oauth_access_token t WHERE t.hash = x.access_hash) ORDER BY x.hash, x.place) AS a
   CROSS JOIN LATERAL oauth_refresh_refuse(a.hash, a.client_id, string_to_array(a.scope, ' '),
     string_to_array(a.resource, ' '), p_api, a.jkt) AS r;
END $$;

-- For processes of 0.3.0 beside newer ones.
CREATE OR REPLACE FUNCTION oauth_refresh(
  p_hash bytea, p_client_id text, p_scopes text[],
  p_access_hash bytea, p_refresh_hash bytea, p_blob bytea,
  p_access_seconds float8, p_idle_seconds float8, p_replay_seconds float8)
RETURNS TABLE (outcome text, blob bytea, "grantId" uuid, "userId" uuid, "sessionId" uuid, "authTime" timestamptz,
  scopes text[], "issuedAt" timestamptz, "leftSeconds" float8) LANGUAGE sql AS $$
  SELECT r.outcome, r.blob, NULL::uuid, r."userId", r."sessionId", r."authTime", r.scopes, r."issuedAt", r."leftSeconds"
    FROM oauth_refresh_v2(ARRAY[p_hash], ARRAY[p_client_id], ARRAY[array_to_string(p_scopes, ' ')], ARRAY[NULL],
      ARRAY[p_access_hash], ARRAY[p_refresh_hash], ARRAY[p_blob], ARRAY[NULL], ARRAY[NULL], '', p_access_seconds,
      p_idle_seconds, p_replay_seconds) AS r
$$;
