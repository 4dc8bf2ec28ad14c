-- A notice is added in the transaction that causes it, with the job that may mail it.

-- A stranger who causes many other notices cannot hide these. One of a payment that waits comes once a minute at most.
CREATE OR REPLACE FUNCTION notice_is_kept(p_kind text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_kind IN ('password_changed', 'factor_changed', 'email_changed', 'token_reused', 'secret_leaked',
    'payment_waits')
$$;

-- p_key: one notice of a person has it; a second one is not added. Beyond 20 of a day (UTC), further ones are counted
-- in one. Of each kind, 20 are mailed: the address may be that of a stranger, who has not asked for any. 17 attempts of
-- the job take two days.
CREATE OR REPLACE FUNCTION notice_add(p_user uuid, p_kind text, p_details jsonb, p_key text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  v_day CONSTANT timestamptz := date_trunc('day', clock_timestamp(), 'UTC');
  v_id  uuid;
BEGIN
  IF EXISTS (SELECT FROM notice n WHERE n.user_id = p_user AND n.key = p_key) THEN RETURN; END IF;
  IF NOT notice_is_kept(p_kind)
     AND (SELECT count(*) FROM notice n WHERE n.user_id = p_user AND n.at >= v_day AND n.kind <> 'more') >= 20 THEN
    INSERT INTO notice (id, user_id, kind, details, key)
    VALUES (gen_random_uuid(), p_user, 'more', '{"count": 1}', 'more:' || extract(epoch FROM v_day))
    ON CONFLICT (user_id, key) DO UPDATE
       SET details = jsonb_build_object('count', (notice.details ->> 'count')::integer + 1);
    RETURN;
  END IF;
  INSERT INTO notice (id, user_id, kind, details, key) VALUES (gen_random_uuid(), p_user, p_kind, p_details, p_key)
  ON CONFLICT (user_id, key) DO NOTHING RETURNING notice.id INTO v_id;
  IF v_id IS NOT NULL AND (SELECT count(*) FROM notice n
      WHERE n.user_id = p_user AND n.at >= v_day AND n.kind = p_kind) <= 20 THEN
    PERFORM job_add('house', '', 'notice_mail', to_jsonb(v_id), NULL, NULL, 17);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION notice_password_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notice_add(NEW.id, 'password_changed', '{}');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER notice_password_changed AFTER UPDATE OF password_hash ON app_user
  FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash) EXECUTE FUNCTION notice_password_changed();
