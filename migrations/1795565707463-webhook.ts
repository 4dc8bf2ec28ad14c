import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints of customers, and what is delivered to them. */
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
        -- When the next attempt is due. Empty: nothing waits.
        due_at          timestamptz,
        created_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoint_pk PRIMARY KEY (id),
        CONSTRAINT webhook_endpoint_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
        CONSTRAINT webhook_endpoint_previous CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
        CONSTRAINT webhook_endpoint_waiting CHECK (waiting >= 0)
      );
      CREATE INDEX webhook_endpoint_of_account ON webhook_endpoint (account_id, created_at);
      CREATE INDEX webhook_endpoint_due ON webhook_endpoint (due_at) WHERE due_at IS NOT NULL;

      CREATE TABLE webhook_delivery (
        id              uuid        NOT NULL,
        endpoint_id     uuid        NOT NULL,
        sequence        bigint      NOT NULL,
        event_type      text        NOT NULL,
        body            text        NOT NULL,
        state           text        NOT NULL DEFAULT 'waiting',
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
        CONSTRAINT webhook_delivery_ended CHECK ((state = 'waiting') = (ended_at IS NULL) AND (state = 'waiting') = (next_at IS NOT NULL))
      );
      CREATE INDEX webhook_delivery_first ON webhook_delivery (endpoint_id, sequence) WHERE state = 'waiting' AND attempts = 0;
      CREATE INDEX webhook_delivery_retry ON webhook_delivery (endpoint_id, next_at) WHERE state = 'waiting' AND attempts > 0;
      CREATE INDEX webhook_delivery_old ON webhook_delivery (ended_at) WHERE state <> 'waiting';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_delivery, webhook_endpoint');
  }
}
