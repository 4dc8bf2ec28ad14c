-- API keys, apps and webhooks of a paused user wait; the user's own sessions continue.
CREATE OR REPLACE FUNCTION user_is_paused(p_user uuid) RETURNS boolean LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT EXISTS (SELECT FROM access_pause p WHERE p.subject = ANY (ARRAY['all', p_user::text]))
$$;
