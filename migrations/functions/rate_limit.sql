-- A window begins with the key's first call. One beyond that is of a clock that was ahead.
-- A cost of 0 only reads. Rows are locked in the order of the keys, against
-- deadlocks. A row that another session keeps locked must not hold up the callers: they count in memory then.
CREATE OR REPLACE FUNCTION rate_limit_consume(p_keys bytea[], p_costs integer[], p_window_ms integer[])
RETURNS TABLE ("position" integer, hits integer, left_ms integer) LANGUAGE plpgsql SET search_path FROM CURRENT
  SET lock_timeout = '200ms' AS $$
#variable_conflict use_column
DECLARE
  call record;
  counted integer;
  ending timestamptz;
  latest timestamptz;
  present CONSTANT timestamptz := clock_timestamp();
BEGIN
  FOR call IN SELECT c.key, c.cost, c.window_ms, c.ordinality::integer AS position
    FROM unnest(p_keys, p_costs, p_window_ms) WITH ORDINALITY AS c (key, cost, window_ms, ordinality)
    ORDER BY c.key, c.ordinality
  LOOP
    -- Another session may have read the clock a moment later.
    latest := present + make_interval(secs => 60 + call.window_ms / 1000.0);
    IF call.cost = 0 THEN
      SELECT w.hits, w.ends_at INTO counted, ending FROM rate_limit_window w
        WHERE w.key = call.key AND w.ends_at > present AND w.ends_at <= latest;
    ELSE
      INSERT INTO rate_limit_window AS w (key, hits, ends_at)
        VALUES (call.key, call.cost, present + make_interval(secs => call.window_ms / 1000.0))
        ON CONFLICT (key) DO UPDATE
          SET hits = CASE WHEN w.ends_at > present AND w.ends_at <= latest
              THEN least(w.hits::bigint + excluded.hits, 2147483647)::integer ELSE excluded.hits END,
            ends_at = CASE WHEN w.ends_at > present AND w.ends_at <= latest THEN w.ends_at ELSE excluded.ends_at END
        RETURNING w.hits, w.ends_at INTO counted, ending;
    END IF;
    RETURN QUERY
      SELECT call.position, coalesce(counted, 0),
        coalesce(ceil(extract(epoch FROM ending - present) * 1000)::integer, call.window_ms);
  END LOOP;
END $$;

-- Windows beyond p_most go before they end: keys that a caller can choose must not fill the disk.
CREATE OR REPLACE FUNCTION rate_limit_purge(p_most integer, p_limit integer) RETURNS integer LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  purged integer;
  excess bigint;
BEGIN
  DELETE FROM rate_limit_window WHERE key = ANY (ARRAY(
    SELECT w.key FROM rate_limit_window w WHERE w.ends_at <= now() ORDER BY w.ends_at LIMIT p_limit
      FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS purged = ROW_COUNT;
  IF purged > 0 THEN RETURN purged; END IF;
  excess := (SELECT count(*) FROM rate_limit_window) - p_most;
  IF excess > 0 THEN
    DELETE FROM rate_limit_window WHERE key = ANY (ARRAY(
      SELECT w.key FROM rate_limit_window w ORDER BY w.ends_at LIMIT least(excess, p_limit) FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS purged = ROW_COUNT;
  END IF;
  RETURN purged;
END $$;
