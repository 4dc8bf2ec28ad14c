import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The API key that added an endpoint, and sees no other. Without a foreign key: the endpoint outlives the key. */
export class WebhookEndpointOfKey1795777647637 implements MigrationInterface {
  readonly name = 'WebhookEndpointOfKey1795777647637';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoint ADD COLUMN api_key_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoint DROP COLUMN api_key_id');
  }
}
