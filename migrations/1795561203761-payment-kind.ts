import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One constraint states what the row of each kind of payment has, instead of six. A new kind is one more case of it. */
export class PaymentKind1795561203761 implements MigrationInterface {
  readonly name = 'PaymentKind1795561203761';

  /** Checks what is written from now on; `PaymentKindOfAll` reads the payments that there are, while sends do not wait. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment ADD CONSTRAINT payment_kind_fits CHECK (CASE kind
          WHEN 'ln' THEN node_id IS NOT NULL AND payment_hash IS NOT NULL AND (state = 'settled') = (preimage IS NOT NULL)
          WHEN 'internal' THEN state = 'settled' AND dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NOT NULL AND preimage IS NOT NULL
          WHEN 'intraledger' THEN state = 'settled' AND dispatched_at IS NULL AND node_id IS NULL AND payment_hash IS NULL
          ELSE false END) NOT VALID,
        DROP CONSTRAINT payment_kind_known, DROP CONSTRAINT payment_only_ln_flies, DROP CONSTRAINT payment_only_ln_dispatched,
        DROP CONSTRAINT payment_ln_has_node, DROP CONSTRAINT payment_hash_there, DROP CONSTRAINT payment_settled_has_proof;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment DROP CONSTRAINT payment_kind_fits,
        ADD CONSTRAINT payment_only_ln_dispatched CHECK (dispatched_at IS NULL OR kind = 'ln'),
        ADD CONSTRAINT payment_kind_known CHECK (kind IN ('ln', 'internal', 'intraledger')),
        ADD CONSTRAINT payment_only_ln_flies CHECK (kind = 'ln' OR state = 'settled'),
        ADD CONSTRAINT payment_ln_has_node CHECK ((kind = 'ln') = (node_id IS NOT NULL)),
        ADD CONSTRAINT payment_hash_there CHECK ((kind = 'intraledger') = (payment_hash IS NULL)),
        ADD CONSTRAINT payment_settled_has_proof CHECK (kind = 'intraledger' OR (state = 'settled') = (preimage IS NOT NULL));`);
  }
}
