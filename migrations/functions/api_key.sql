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

-- Ends the keys of these secrets, which were found in public; of one that its owner has replaced, that secret alone.
CREATE OR REPLACE FUNCTION api_key_leaked(p_hashes bytea[]) RETURNS integer LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  former uuid[]; ended uuid[];
BEGIN
  WITH closed AS (
    UPDATE api_key k SET previous_until = clock_timestamp()
     WHERE k.previous_hash = ANY (p_hashes) AND k.previous_until > clock_timestamp() AND k.revoked_at IS NULL
    RETURNING k.id, event_add(ARRAY['credential.ends'], ARRAY['secret:' || encode(k.previous_hash, 'hex')],
      ARRAY[jsonb_build_object('atMs', extract(epoch FROM k.previous_until) * 1000)]))
  SELECT array_agg(closed.id) INTO former FROM closed;
  ended := ARRAY(SELECT api_key_revoke(ARRAY(SELECT k.id FROM api_key k
    WHERE k.key_hash = ANY (p_hashes) AND k.revoked_at IS NULL), clock_timestamp()));
  PERFORM notice_add(k.user_id, 'secret_leaked', jsonb_build_object('of', 'key', 'id', k.id, 'name', k.name))
     FROM api_key k WHERE k.id = ANY (ended || former);
  RETURN cardinality(ended) + coalesce(cardinality(former), 0);
END $$;

-- Once a key and step. A key that lives for no longer than a step is not announced by it.
CREATE OR REPLACE FUNCTION api_key_notices() RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT notice_add(k.user_id, 'key_expires', jsonb_build_object('name', k.name, 'keyId', k.id, 'days', s.days),
      'key_expires:' || k.id || ':' || s.days)
    FROM api_key k CROSS JOIN LATERAL (
      SELECT min(d) AS days FROM unnest(ARRAY[1, 7, 30]) AS d
       WHERE k.expires_at <= now() + make_interval(days => d)
         AND k.expires_at > k.created_at + make_interval(days => d)) AS s
   WHERE k.revoked_at IS NULL AND k.expires_at > now() AND s.days IS NOT NULL;
  SELECT notice_add(k.user_id, 'key_unused', jsonb_build_object('name', k.name, 'keyId', k.id),
      'key_unused:' || k.id || ':' || extract(epoch FROM coalesce(k.last_used_at, k.created_at))::bigint)
    FROM api_key k
   WHERE k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)
     AND coalesce(k.last_used_at, k.created_at) < now() - interval '90 days';
$$;
