-- An address that the person proves to have had before. Another account may have registered it since, so that it could
-- not return: as long as that account has not proved it, the two change their addresses.
-- The address until now; null: the person is disabled, or has this one.
CREATE OR REPLACE FUNCTION user_email_back(p_user uuid, p_email text) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  present CONSTANT text := (SELECT u.email FROM app_user u
    WHERE u.id = p_user AND u.email <> p_email AND u.disabled_at IS NULL FOR NO KEY UPDATE);
  other uuid;
BEGIN
  IF present IS NULL THEN RETURN NULL; END IF;
  UPDATE app_user SET email = id::text WHERE email = p_email AND email_verified_at IS NULL RETURNING id INTO other;
  UPDATE app_user SET email = p_email, email_verified_at = now() WHERE id = p_user;
  UPDATE app_user SET email = present WHERE id = other;
  RETURN present;
END $$;
