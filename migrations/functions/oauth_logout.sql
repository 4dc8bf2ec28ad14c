-- OpenID Connect Back-Channel Logout 1.0: a client with an address for it learns that a sign-in of a person has ended,
-- or what the person had granted in it. The job is added by the transaction of the end: no crash comes between.

CREATE OR REPLACE FUNCTION oauth_logout_add(p_grants uuid[]) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM job_add('house', '', 'oauth_logout', to_jsonb(ended), NULL, NULL, 12)
     FROM (SELECT DISTINCT g.client_id AS client, g.user_id AS sub, g.session_id AS sid
             FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id
            WHERE g.id = ANY (p_grants) AND c.backchannel_logout_uri IS NOT NULL) AS ended;
END $$;

-- A grant that has ended before was its own reason.
CREATE OR REPLACE FUNCTION oauth_session_ended() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM oauth_logout_add(ARRAY(SELECT g.id FROM oauth_grant g
    WHERE g.user_id = OLD.user_id AND g.session_id = OLD.id AND g.revoked_at IS NULL));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_session_ended AFTER UPDATE OF ended_at ON session
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION oauth_session_ended();
CREATE OR REPLACE TRIGGER oauth_session_deleted AFTER DELETE ON session
  FOR EACH ROW WHEN (OLD.ended_at IS NULL) EXECUTE FUNCTION oauth_session_ended();
