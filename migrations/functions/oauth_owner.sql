-- The drafts and test clients of a developer end with their account. An app that was approved belongs to the operator
-- then, because other people use it. Apps learn by the end of what the person had granted that they have gone.
CREATE OR REPLACE FUNCTION oauth_owner_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM oauth_end_grants(ARRAY(SELECT g.id FROM oauth_grant g WHERE g.user_id = OLD.id AND g.revoked_at IS NULL),
    'account deleted');
  DELETE FROM oauth_application a
    WHERE a.owner_id = OLD.id AND NOT EXISTS (SELECT FROM oauth_client c WHERE c.id = a.id);
  DELETE FROM oauth_client c USING oauth_application a WHERE c.test_of = a.id AND a.owner_id = OLD.id;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER oauth_owner_deleted BEFORE DELETE ON app_user
  FOR EACH ROW EXECUTE FUNCTION oauth_owner_deleted();
