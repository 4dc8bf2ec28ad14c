-- Of two uses of an invitation at once, the second waits for the lock. An address that has an account uses it up too:
-- otherwise its holder could find out which addresses are known by whether it still works.
CREATE OR REPLACE FUNCTION user_register(p_id uuid, p_email text, p_username text, p_password_hash text,
  p_code_hash bytea) RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  invited uuid;
  created boolean;
BEGIN
  IF p_code_hash IS NOT NULL THEN
    SELECT i.id INTO invited FROM invitation i
     WHERE i.code_hash = p_code_hash AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > clock_timestamp()
       FOR NO KEY UPDATE;
    IF invited IS NULL THEN RETURN 'not_invited'; END IF;
  END IF;
  BEGIN
    INSERT INTO app_user (id, email, username, password_hash) VALUES (p_id, p_email, p_username, p_password_hash)
      ON CONFLICT DO NOTHING;
    created := FOUND;
  EXCEPTION WHEN unique_violation THEN RETURN 'username_taken'; -- the former name of another person
  END;
  IF NOT created AND user_name_is_taken(p_username) THEN RETURN 'username_taken'; END IF;
  IF NOT created THEN
    -- The same work, taken back: the time of the answer does not show that an address has an account.
    BEGIN
      INSERT INTO app_user (id, email, username, password_hash)
      VALUES (p_id, p_id || '@example.invalid', p_username, p_password_hash);
      RAISE EXCEPTION USING ERRCODE = 'raise_exception';
    EXCEPTION WHEN raise_exception OR unique_violation THEN NULL;
    END;
  END IF;
  UPDATE invitation SET used_at = clock_timestamp(), user_id = CASE WHEN created THEN p_id END WHERE id = invited;
  RETURN CASE WHEN created THEN 'created' ELSE 'email_taken' END;
END $$;
