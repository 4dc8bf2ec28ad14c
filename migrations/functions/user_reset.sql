-- A thief of a mailbox can reset the password of a person who has no second factor: for a day the account sends little.
CREATE OR REPLACE FUNCTION user_limit_after_reset(p_user uuid, p_msat bigint) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE app_user u SET reset_limit_until = now() + interval '24 hours', reset_limit_msat = p_msat
   WHERE u.id = p_user AND NOT EXISTS (SELECT FROM user_totp t WHERE t.user_id = u.id)
     AND NOT EXISTS (SELECT FROM user_passkey k WHERE k.user_id = u.id)
$$;

-- Null: no reset bounds what the person sends.
CREATE OR REPLACE FUNCTION user_reset_limit(p_user uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN u.reset_limit_until > now() THEN u.reset_limit_msat END FROM app_user u WHERE u.id = p_user
$$;
