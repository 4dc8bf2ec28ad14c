-- A person who deletes their account is disabled at once; a job deletes the rest. False: they are an operator.
CREATE OR REPLACE FUNCTION user_leave(p_user uuid) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE app_user u SET disabled_at = coalesce(u.disabled_at, now()) WHERE u.id = p_user AND NOT u.is_operator;
  IF FOUND THEN PERFORM credential_revoked(ARRAY['user:' || p_user]); END IF;
  RETURN FOUND;
END $$;
