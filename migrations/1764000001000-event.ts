import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox: what happened, written in the transaction in which it happened, read by every process after its commit. */
export class Event1764000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event (
        id         bigint      GENERATED ALWAYS AS IDENTITY,
        -- The writer's transaction. Readers go in the order (xid, id) and stop at the oldest transaction still running: no event is
        -- ever passed by, though ids are taken before their transactions commit.
        xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
        topic      text        NOT NULL,
        key        text        NOT NULL,
        payload    jsonb       NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT event_pk PRIMARY KEY (xid, id)
      );
      CREATE INDEX event_created_at ON event (created_at);
      CREATE FUNCTION event_add(p_topic text[], p_key text[], p_payload jsonb[]) RETURNS void LANGUAGE sql AS $$
        INSERT INTO event (topic, key, payload) SELECT * FROM unnest(p_topic, p_key, p_payload)
      $$;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION event_add; DROP TABLE event');
  }
}
