import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A stream notices a restore of the simulated node, also when the new settlements have reached the old count. */
export class SimulatorRestores1795576120525 implements MigrationInterface {
  readonly name = 'SimulatorRestores1795576120525';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE simulator.node ADD COLUMN restores integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE simulator.node DROP COLUMN restores`);
  }
}
