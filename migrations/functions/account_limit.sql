-- An account of a level may send so much in any 24 hours, in US cents without fees, by flow: withdrawal (paid by the
-- node), internal_send (to another account) and convert (between its two wallets).

CREATE OR REPLACE FUNCTION account_flow(p_is_sent boolean, p_is_own boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_is_sent THEN 'withdrawal' WHEN p_is_own THEN 'convert' ELSE 'internal_send' END
$$;

-- Locks accounts by id, so that no other transaction begins their payments or reads their spending. Payments end
-- without it, which can only leave more.
CREATE OR REPLACE FUNCTION account_lock(p_user uuid[]) RETURNS uuid[] LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN ARRAY(SELECT a.id FROM account a WHERE a.user_id = ANY (p_user) ORDER BY a.id FOR NO KEY UPDATE);
END $$;

-- 'changed' | 'already' | 'unknown': there is no such account.
CREATE OR REPLACE FUNCTION account_set_level(p_id uuid, p_level text, p_who text, p_because text) RETURNS text
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE old_level text;
BEGIN
  SELECT a.level INTO old_level FROM account a WHERE a.id = p_id FOR NO KEY UPDATE;
  IF old_level IS NULL THEN RETURN 'unknown'; END IF;
  IF old_level = p_level THEN RETURN 'already'; END IF;
  UPDATE account SET level = p_level WHERE id = p_id;
  PERFORM operator_action_add(p_who, 'account level', p_id::text, p_because,
    jsonb_build_object('from', old_level, 'to', p_level));
  RETURN 'changed';
END $$;
