import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The simulated node has hold invoices, whose preimage it learns when they are settled. */
export class SimulatorHold1795561800931 implements MigrationInterface {
  readonly name = 'SimulatorHold1795561800931';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE simulator.invoice ALTER COLUMN preimage DROP NOT NULL, DROP CONSTRAINT invoice_state_known;
      ALTER TABLE simulator.invoice ADD CONSTRAINT invoice_state_known CHECK (state IN ('open', 'accepted', 'settled', 'cancelled')),
        ADD CONSTRAINT invoice_preimage_known CHECK (preimage IS NOT NULL OR (payee = 'ours' AND state <> 'settled'));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM simulator.invoice WHERE preimage IS NULL;
      ALTER TABLE simulator.invoice DROP CONSTRAINT invoice_state_known, DROP CONSTRAINT invoice_preimage_known;
      ALTER TABLE simulator.invoice ALTER COLUMN preimage SET NOT NULL,
        ADD CONSTRAINT invoice_state_known CHECK (state IN ('open', 'settled', 'cancelled'));`);
  }
}
