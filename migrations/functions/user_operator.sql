-- The password was compared with this hash a moment ago. Null: they are no operator, or have another password by now.
CREATE OR REPLACE FUNCTION user_operator_name(p_user uuid, p_password_hash text) RETURNS text LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT u.username FROM app_user u WHERE u.id = p_user AND u.is_operator AND u.disabled_at IS NULL
    AND u.password_hash = p_password_hash
$$;
