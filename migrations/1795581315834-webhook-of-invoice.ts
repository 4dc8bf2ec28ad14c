import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The webhook of a single invoice, at a URL that its creator chose. It is an endpoint of its own, without an account and without a secret. */
export class WebhookOfInvoice1795581315834 implements MigrationInterface {
  readonly name = 'WebhookOfInvoice1795581315834';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoice ADD COLUMN webhook_url text, ADD COLUMN webhook_owner_id uuid, ADD COLUMN webhook_is_anonymous boolean,
        ADD CONSTRAINT invoice_webhook_owned CHECK (num_nulls(webhook_url, webhook_owner_id, webhook_is_anonymous) IN (0, 3));
      ALTER TABLE webhook_endpoint ALTER COLUMN account_id DROP NOT NULL, ALTER COLUMN secret DROP NOT NULL,
        ADD COLUMN wallet_id uuid,
        ADD CONSTRAINT webhook_endpoint_wallet_fk FOREIGN KEY (wallet_id) REFERENCES wallet (id) ON DELETE CASCADE,
        ADD CONSTRAINT webhook_endpoint_owner CHECK ((account_id IS NULL) = (secret IS NULL) AND (account_id IS NULL) = (wallet_id IS NOT NULL));
      CREATE INDEX webhook_endpoint_of_wallet ON webhook_endpoint (wallet_id) WHERE wallet_id IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM webhook_endpoint WHERE account_id IS NULL;
      ALTER TABLE webhook_endpoint DROP COLUMN wallet_id, ALTER COLUMN account_id SET NOT NULL, ALTER COLUMN secret SET NOT NULL;
      ALTER TABLE invoice DROP COLUMN webhook_url, DROP COLUMN webhook_owner_id, DROP COLUMN webhook_is_anonymous;`);
  }
}
