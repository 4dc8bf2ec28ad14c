-- Positions ascend in the order of commits, so no row appears behind one that was read: each is taken under one lock,
-- held until its transaction is visible. The trigger is deferred, so the lock is held for the commit alone. A prepared
-- transaction would keep it: Sluice does not start on a server that allows any.
CREATE OR REPLACE FUNCTION event_publish() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(lock_key('events'));
  INSERT INTO event_position (event_id) VALUES (new.id);
  RETURN NULL;
END $$;
-- PostgreSQL cannot replace a constraint trigger, which calls the function by its name.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'event'::regclass AND tgname = 'event_publish') THEN
    CREATE CONSTRAINT TRIGGER event_publish AFTER INSERT
      ON event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION event_publish();
  END IF;
END $$;

CREATE OR REPLACE FUNCTION event_add(p_topic text[], p_key text[], p_payload jsonb[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_topic) > 0 THEN
    INSERT INTO event (topics, keys, payloads) VALUES (p_topic, p_key, p_payload);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION credential_revoked(p_key text[]) RETURNS void LANGUAGE sql AS $$
  SELECT event_add(array_agg('credential.revoked'::text), array_agg(k), array_agg('{}'::jsonb)) FROM unnest(p_key) AS k
$$;

-- Also true of 0: no position was read yet. Volatile, because a claim may get a position stored after its snapshot.
CREATE OR REPLACE FUNCTION event_is_kept(p_position bigint) RETURNS boolean LANGUAGE sql VOLATILE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT p_position = 0 OR EXISTS (SELECT FROM event_position WHERE position = p_position)
$$;

-- Returns the first p_items events of a topic after a position (p_handled: the last of it that was handled), of at most
-- p_positions positions; then a row without a key: the last position, and their count.
CREATE OR REPLACE FUNCTION event_consumer_page(p_position bigint, p_handled int, p_topic text, p_positions int,
  p_items int) RETURNS TABLE (at_position bigint, nth int, key text) LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  WITH page AS MATERIALIZED (SELECT position, event_id FROM event_position WHERE position >= p_position
    ORDER BY position LIMIT p_positions)
  (SELECT p.position, item.nth::int, item.key
     FROM page p
    CROSS JOIN LATERAL (SELECT topics, keys FROM event WHERE id = p.event_id OFFSET 0) e
    CROSS JOIN LATERAL unnest(e.topics, e.keys) WITH ORDINALITY AS item (topic, key, nth)
    WHERE item.topic = p_topic AND (p.position, item.nth) > (p_position, p_handled)
    ORDER BY p.position, item.nth LIMIT p_items)
  UNION ALL
  SELECT max(position), count(*)::int, NULL FROM page
$$;

CREATE OR REPLACE FUNCTION event_payloads(p_position bigint[], p_nth int[])
RETURNS TABLE (at_position bigint, nth int, topic text, key text, payload jsonb) LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT p.position, item.nth::int, item.topic, item.key, item.payload
    FROM (SELECT position, event_id FROM event_position WHERE position = ANY (p_position)) p
   CROSS JOIN LATERAL (SELECT topics, keys, payloads FROM event WHERE id = p.event_id OFFSET 0) e
   CROSS JOIN LATERAL unnest(e.topics, e.keys, e.payloads) WITH ORDINALITY AS item (topic, key, payload, nth)
   WHERE (p.position, item.nth) IN (SELECT * FROM unnest(p_position, p_nth)) ORDER BY p.position, item.nth
$$;
