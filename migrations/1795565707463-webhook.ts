import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints of customers, what is delivered to them, and whose turn it is. */
export class Webhook1795565707463 implements MigrationInterface {
  readonly name = 'Webhook1795565707463';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoint (
        id              uuid        NOT NULL,
        account_id      uuid        NOT NULL,
        url             text        NOT NULL,
        -- Both encrypted.
        secret          bytea       NOT NULL,
        previous_secret bytea,
        -- Until then deliveries carry a signature of both secrets.
        previous_until  timestamptz,
        -- Of the latest delivery.
        sequence        bigint      NOT NULL DEFAULT 0,
        -- Deliveries that have not ended.
        waiting         integer     NOT NULL DEFAULT 0,
        created_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoint_pk PRIMARY KEY (id),
        CONSTRAINT webhook_endpoint_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
        CONSTRAINT webhook_endpoint_previous CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
        CONSTRAINT webhook_endpoint_waiting CHECK (waiting >= 0)
      );
      CREATE INDEX webhook_endpoint_of_account ON webhook_endpoint (account_id, created_at);

      CREATE TABLE webhook_delivery (
        id              uuid        NOT NULL,
        endpoint_id     uuid        NOT NULL,
        -- The account, or the caller who wanted the webhook of an invoice.
        owner_id        uuid        NOT NULL,
        sequence        bigint      NOT NULL,
        event_type      text        NOT NULL,
        body            text        NOT NULL,
        state           text        NOT NULL DEFAULT 'waiting',
        -- It comes after first attempts: it is repeated, replayed, or of an invoice that has expired.
        is_later        boolean     NOT NULL DEFAULT false,
        -- The endpoint has at most two: of the first attempts, and of the later ones. The others wait for it.
        is_next         boolean     NOT NULL DEFAULT false,
        attempts        integer     NOT NULL DEFAULT 0,
        -- Since it was created or replayed: they decide on the next pause.
        failures        integer     NOT NULL DEFAULT 0,
        -- While a process makes an attempt: when another one may make it again.
        next_at         timestamptz,
        -- Names the attempt that a process makes now.
        claim           uuid,
        last_status     integer,
        last_error      text,
        last_attempt_at timestamptz,
        created_at      timestamptz NOT NULL DEFAULT now(),
        ended_at        timestamptz,
        CONSTRAINT webhook_delivery_pk PRIMARY KEY (id),
        CONSTRAINT webhook_delivery_endpoint_fk FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
        CONSTRAINT webhook_delivery_sequence_unique UNIQUE (endpoint_id, sequence),
        CONSTRAINT webhook_delivery_state_known CHECK (state IN ('waiting', 'delivered', 'failed')),
        CONSTRAINT webhook_delivery_ended CHECK ((state = 'waiting') = (ended_at IS NULL) AND (state = 'waiting') = (next_at IS NOT NULL)),
        CONSTRAINT webhook_delivery_next CHECK (state = 'waiting' OR NOT is_next)
      );
      CREATE INDEX webhook_delivery_first ON webhook_delivery (endpoint_id, sequence) WHERE state = 'waiting' AND NOT is_later;
      CREATE INDEX webhook_delivery_later ON webhook_delivery (endpoint_id, next_at) WHERE state = 'waiting' AND is_later;
      CREATE UNIQUE INDEX webhook_delivery_next_unique ON webhook_delivery (endpoint_id, is_later) WHERE is_next;
      CREATE INDEX webhook_delivery_of_owner ON webhook_delivery (owner_id, is_later, next_at) WHERE is_next;
      CREATE INDEX webhook_delivery_old ON webhook_delivery (ended_at) WHERE state <> 'waiting';

      -- The owners of deliveries that wait. A row ends with the last of them.
      CREATE TABLE webhook_queue (
        owner_id        uuid        NOT NULL,
        -- A caller without a credential.
        is_anonymous    boolean     NOT NULL,
        -- Its place in the line of first attempts, and in that of later ones: the earliest has its turn. Empty: it is not in that line.
        first_at        timestamptz,
        later_at        timestamptz,
        CONSTRAINT webhook_queue_pk PRIMARY KEY (owner_id)
      );
      CREATE INDEX webhook_queue_first ON webhook_queue (is_anonymous, first_at) WHERE first_at IS NOT NULL;
      CREATE INDEX webhook_queue_later ON webhook_queue (is_anonymous, later_at) WHERE later_at IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_queue, webhook_delivery, webhook_endpoint');
  }
}
