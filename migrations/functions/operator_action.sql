CREATE OR REPLACE FUNCTION operator_action_add(p_who text, p_action text, p_subject text, p_because text,
  p_details jsonb) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO operator_action (who, action, subject, because, details)
    VALUES (p_who, p_action, p_subject, p_because, p_details)
$$;
