-- A name that a person has given up leads to them for as long as they live, and belongs to no other person ever.

CREATE OR REPLACE FUNCTION user_named(p_name text) RETURNS uuid LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT u.id FROM app_user u WHERE u.username = p_name
  UNION ALL SELECT f.user_id FROM username_former f WHERE f.name = p_name AND f.user_id IS NOT NULL LIMIT 1
$$;

CREATE OR REPLACE FUNCTION user_name_is_taken(p_name text) RETURNS boolean LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT EXISTS (SELECT FROM app_user u WHERE u.username = p_name)
    OR EXISTS (SELECT FROM username_former f WHERE f.name = p_name)
$$;

-- After the row: its unique index has waited for a change of the other person's name, which this now sees.
CREATE OR REPLACE FUNCTION user_name_kept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    IF EXISTS (SELECT FROM username_former f WHERE f.name = NEW.username AND f.user_id IS DISTINCT FROM NEW.id) THEN
      RAISE unique_violation USING MESSAGE = 'The username belonged to another person',
        CONSTRAINT = 'app_user_username_unique';
    END IF;
    DELETE FROM username_former f WHERE f.name = NEW.username;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO username_former (name, user_id) VALUES (OLD.username, CASE TG_OP WHEN 'UPDATE' THEN OLD.id END);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER user_name_kept AFTER INSERT OR DELETE ON app_user
  FOR EACH ROW EXECUTE FUNCTION user_name_kept();
CREATE OR REPLACE TRIGGER user_name_changed AFTER UPDATE OF username ON app_user
  FOR EACH ROW WHEN (OLD.username <> NEW.username) EXECUTE FUNCTION user_name_kept();

-- 'changed' | 'same' | 'taken' | 'too_soon'
CREATE OR REPLACE FUNCTION user_rename(p_user uuid, p_name text, p_days integer) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  present app_user;
BEGIN
  SELECT * INTO present FROM app_user u WHERE u.id = p_user FOR UPDATE;
  IF present.username = p_name THEN RETURN 'same'; END IF;
  IF present.username_changed_at > now() - make_interval(days => p_days) THEN RETURN 'too_soon'; END IF;
  UPDATE app_user SET username = p_name, username_changed_at = now() WHERE id = p_user;
  RETURN 'changed';
EXCEPTION WHEN unique_violation THEN RETURN 'taken';
END $$;
