-- The drafts and test clients of a developer end with their account. An app that was approved belongs to the operator
-- then, because other people use it.
CREATE OR REPLACE FUNCTION oauth_owner_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM oauth_application a
    WHERE a.owner_id = OLD.id AND NOT EXISTS (SELECT FROM oauth_client c WHERE c.id = a.id);
  DELETE FROM oauth_client c USING oauth_application a WHERE c.test_of = a.id AND a.owner_id = OLD.id;
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER oauth_owner_deleted BEFORE DELETE ON app_user
  FOR EACH ROW EXECUTE FUNCTION oauth_owner_deleted();
