import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The API key that added an endpoint (no foreign key: the endpoint outlives the key), since when it is disabled by an answer of 410, how its
 * latest attempt ended, and since when attempts fail, which is not known of the time before.
 */
export class WebhookEndpointHealth1795786455045 implements MigrationInterface {
  readonly name = 'WebhookEndpointHealth1795786455045';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoint ADD COLUMN api_key_id uuid, ADD COLUMN disabled_at timestamptz, ADD COLUMN last_attempt_at timestamptz,
        ADD COLUMN last_status integer, ADD COLUMN last_error text, ADD COLUMN failing_since timestamptz;
      UPDATE webhook_endpoint e
         SET last_attempt_at = d.last_attempt_at, last_status = d.last_status, last_error = d.last_error,
             failing_since = CASE WHEN d.state <> 'delivered' THEN d.last_attempt_at END
        FROM webhook_endpoint o CROSS JOIN LATERAL (
             SELECT * FROM webhook_delivery w WHERE w.endpoint_id = o.id AND w.last_attempt_at IS NOT NULL ORDER BY w.sequence DESC LIMIT 1) d
       WHERE e.id = o.id AND o.account_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoint DROP COLUMN failing_since, DROP COLUMN last_error, DROP COLUMN last_status, DROP COLUMN last_attempt_at,
        DROP COLUMN disabled_at, DROP COLUMN api_key_id`);
  }
}
