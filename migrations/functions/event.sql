-- The outbox: events, and the order in which they were committed. Only event_add and its trigger write to it.

-- Positions ascend in the order of commits: each is taken under one lock, which is held until its transaction is
-- visible (PostgreSQL makes a transaction visible before it releases its locks). So no row appears behind one that a
-- reader has read. The trigger is deferred: it runs when the rest of the transaction is done, so the lock is held for
-- the commit alone, however long the transaction took. A prepared transaction would hold the lock until its owner ends
-- it. Sluice does not start on a server that allows any.
CREATE OR REPLACE FUNCTION event_publish() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(lock_key('events'));
  INSERT INTO event_position (event_id) VALUES (new.id);
  RETURN NULL;
END $$;
-- PostgreSQL cannot replace a constraint trigger. It calls the function by its name, so it need not be replaced.
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

-- Whether an event of this position is kept, or no position was read yet (0). By key, whatever the table was when the
-- caller's statement was planned. Volatile, because it must see what was committed until now: a claim waits for no
-- lock, but may get a position that was stored after its snapshot.
CREATE OR REPLACE FUNCTION event_is_kept(p_position bigint) RETURNS boolean LANGUAGE sql VOLATILE
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT p_position = 0 OR EXISTS (SELECT FROM event_position WHERE position = p_position)
$$;

-- The first p_items events of a topic after a position (of which p_handled is the last that was handled), of at most
-- p_positions positions; then one row without a key: the last position looked at, and how many there were. Payloads are
-- read for those that a consumer handles (event_payloads). Tables are read by key only, whatever their statistics were
-- when it was planned.
CREATE OR REPLACE FUNCTION event_consumer_page(p_position bigint, p_handled int, p_topic text, p_positions int,
  p_items int) RETURNS TABLE (at_position bigint, nth int, key text) LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  (SELECT p.position, item.nth::int, item.key
     FROM (SELECT position, event_id FROM event_position WHERE position >= p_position
       ORDER BY position LIMIT p_positions) p
    CROSS JOIN LATERAL (SELECT topics, keys FROM event WHERE id = p.event_id OFFSET 0) e
    CROSS JOIN LATERAL unnest(e.topics, e.keys) WITH ORDINALITY AS item (topic, key, nth)
    WHERE item.topic = p_topic AND (p.position, item.nth) > (p_position, p_handled)
    ORDER BY p.position, item.nth LIMIT p_items)
  UNION ALL
  SELECT max(position), count(*)::int, NULL
    FROM (SELECT position FROM event_position WHERE position >= p_position ORDER BY position LIMIT p_positions) scanned
$$;

-- The events at these places, in the order of their commits.
CREATE OR REPLACE FUNCTION event_payloads(p_position bigint[], p_nth int[])
RETURNS TABLE (at_position bigint, nth int, topic text, key text, payload jsonb) LANGUAGE sql STABLE
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  SELECT p.position, item.nth::int, item.topic, item.key, item.payload
    FROM (SELECT position, event_id FROM event_position WHERE position = ANY (p_position)) p
   CROSS JOIN LATERAL (SELECT topics, keys, payloads FROM event WHERE id = p.event_id OFFSET 0) e
   CROSS JOIN LATERAL unnest(e.topics, e.keys, e.payloads) WITH ORDINALITY AS item (topic, key, payload, nth)
   WHERE (p.position, item.nth) IN (SELECT * FROM unnest(p_position, p_nth)) ORDER BY p.position, item.nth
$$;
