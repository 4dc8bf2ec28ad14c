import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EventConsumer1795452499387 implements MigrationInterface {
  readonly name = 'EventConsumer1795452499387';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- How far each durable consumer has handled the events of its topic. It survives a dump: positions are plain numbers.
      CREATE TABLE event_consumer (
        name       text        NOT NULL,
        topic      text        NOT NULL,
        -- The last position of which it has handled events, and the number of the last one in it. That row is kept as a mark. 0: none yet.
        position   bigint      NOT NULL,
        handled    integer     NOT NULL DEFAULT 0,
        -- overrun: events that it has not handled were deleted. Only the operator lets it continue.
        state      text        NOT NULL DEFAULT 'running',
        -- Of the next event: how often its handler has failed, the last error, and when it is tried again.
        attempts   integer     NOT NULL DEFAULT 0,
        error      text,
        next_at    timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT event_consumer_pk PRIMARY KEY (name),
        CONSTRAINT event_consumer_name CHECK (name ~ '^[a-z][a-z0-9_.-]{0,62}$'),
        CONSTRAINT event_consumer_state_known CHECK (state IN ('running', 'overrun'))
      );

      -- Events whose handler has failed too often, kept until the operator replays or forgets them.
      CREATE TABLE event_dead_letter (
        id         bigint      GENERATED ALWAYS AS IDENTITY,
        consumer   text        NOT NULL,
        topic      text        NOT NULL,
        key        text        NOT NULL,
        payload    jsonb       NOT NULL,
        error      text        NOT NULL,
        failed_at  timestamptz NOT NULL DEFAULT now(),
        -- The operator has asked for another attempt.
        is_due     boolean     NOT NULL DEFAULT false,
        CONSTRAINT event_dead_letter_pk PRIMARY KEY (id),
        CONSTRAINT event_dead_letter_consumer FOREIGN KEY (consumer) REFERENCES event_consumer ON DELETE CASCADE
      );
      CREATE INDEX event_dead_letter_of ON event_dead_letter (consumer, id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_dead_letter; DROP TABLE event_consumer');
  }
}
