import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an endpoint is disabled, because it has answered with 410. */
export class WebhookEndpointDisabled1795779190410 implements MigrationInterface {
  readonly name = 'WebhookEndpointDisabled1795779190410';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoint ADD COLUMN disabled_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoint DROP COLUMN disabled_at');
  }
}
