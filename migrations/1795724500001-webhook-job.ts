import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The job of a delivery decides when it is due, and who has claimed it. */
export class WebhookJob1795724500001 implements MigrationInterface {
  readonly name = 'WebhookJob1795724500001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE webhook_queue;
      DROP FUNCTION IF EXISTS webhook_line_up, webhook_schedule, webhook_advance, webhook_commit_soon, webhook_claim, webhook_claimed, webhook_release,
        webhook_finish;
      DROP INDEX webhook_delivery_first, webhook_delivery_later, webhook_delivery_next_unique, webhook_delivery_of_owner;
      ALTER TABLE webhook_delivery DROP COLUMN owner_id, DROP COLUMN is_later, DROP COLUMN is_next, DROP COLUMN failures, DROP COLUMN claim;`);
  }

  /** Deliveries that wait are repeats afterwards. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_delivery ADD COLUMN owner_id uuid, ADD COLUMN is_later boolean NOT NULL DEFAULT false, ADD COLUMN is_next boolean NOT NULL DEFAULT false,
        ADD COLUMN failures integer NOT NULL DEFAULT 0, ADD COLUMN claim uuid,
        ADD CONSTRAINT webhook_delivery_next CHECK (state = 'waiting' OR NOT is_next);
      UPDATE webhook_delivery d SET owner_id = coalesce(e.account_id, e.wallet_id), is_later = true FROM webhook_endpoint e WHERE e.id = d.endpoint_id;
      ALTER TABLE webhook_delivery ALTER COLUMN owner_id SET NOT NULL;
      CREATE TABLE webhook_queue (
        owner_id        uuid        NOT NULL,
        is_anonymous    boolean     NOT NULL,
        first_at        timestamptz,
        later_at        timestamptz,
        CONSTRAINT webhook_queue_pk PRIMARY KEY (owner_id)
      );
      CREATE INDEX webhook_queue_first ON webhook_queue (is_anonymous, first_at) WHERE first_at IS NOT NULL;
      CREATE INDEX webhook_queue_later ON webhook_queue (is_anonymous, later_at) WHERE later_at IS NOT NULL;
      UPDATE webhook_delivery d SET is_next = true
        FROM (SELECT DISTINCT ON (endpoint_id) id FROM webhook_delivery WHERE state = 'waiting' ORDER BY endpoint_id, next_at) n WHERE n.id = d.id;
      INSERT INTO webhook_queue (owner_id, is_anonymous, later_at)
        SELECT owner_id, false, min(next_at) FROM webhook_delivery WHERE is_next GROUP BY owner_id;
      CREATE INDEX webhook_delivery_first ON webhook_delivery (endpoint_id, sequence) WHERE state = 'waiting' AND NOT is_later;
      CREATE INDEX webhook_delivery_later ON webhook_delivery (endpoint_id, next_at) WHERE state = 'waiting' AND is_later;
      CREATE UNIQUE INDEX webhook_delivery_next_unique ON webhook_delivery (endpoint_id, is_later) WHERE is_next;
      CREATE INDEX webhook_delivery_of_owner ON webhook_delivery (owner_id, is_later, next_at) WHERE is_next;`);
  }
}
