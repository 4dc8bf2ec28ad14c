import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox: events, written in the transaction that they report, read by every process after its commit. */
export class Event1764000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The events of one call of event_add.
      CREATE TABLE event (
        id       bigint  GENERATED ALWAYS AS IDENTITY,
        topics   text[]  NOT NULL,
        keys     text[]  NOT NULL,
        payloads jsonb[] NOT NULL,
        CONSTRAINT event_pk PRIMARY KEY (id)
      );

      -- Readers continue from a position, a plain number that a dump carries into any cluster. The sequence must not cache.
      CREATE TABLE event_position (
        position     bigint      GENERATED ALWAYS AS IDENTITY,
        event_id     bigint      NOT NULL,
        committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT event_position_pk PRIMARY KEY (position)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event; DROP TABLE event_position');
  }
}
