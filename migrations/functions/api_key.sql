-- Ends keys for good, and whatever is open under them. Locks rows in the order of their ids. Returns the keys that this
-- call ended.
CREATE OR REPLACE FUNCTION api_key_revoke(p_ids uuid[], p_at timestamptz) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE
  ended uuid[];
BEGIN
  PERFORM FROM api_key k WHERE k.id = ANY (p_ids) ORDER BY k.id FOR NO KEY UPDATE;
  WITH closed AS (
    UPDATE api_key k SET revoked_at = p_at WHERE k.id = ANY (p_ids) AND k.revoked_at IS NULL RETURNING k.id)
  SELECT array_agg(closed.id) INTO ended FROM closed;
  PERFORM credential_revoked(ended::text[]);
  RETURN QUERY SELECT unnest(ended);
END $$;
