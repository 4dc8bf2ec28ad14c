-- Codes of the keys with which processes have started: one, and two while a key replaces another.
-- False: neither is known.
-- A database without a code takes the first key: a new one, and one that the operator has let forget its own.
CREATE OR REPLACE FUNCTION secret_key_accept(p_code bytea, p_previous bytea) RETURNS boolean LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  -- Two first starts with different keys must not both find no code.
  LOCK TABLE secret_key_code IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM secret_key_code)
     AND NOT EXISTS (SELECT FROM secret_key_code k WHERE k.code IN (p_code, p_previous)) THEN
    RETURN false;
  END IF;
  INSERT INTO secret_key_code (code) VALUES (p_code) ON CONFLICT DO NOTHING;
  -- The key that was replaced is known for as long as processes name it: those that have it alone may start again.
  IF p_previous IS NULL THEN DELETE FROM secret_key_code k WHERE k.code <> p_code; END IF;
  RETURN true;
END $$;
