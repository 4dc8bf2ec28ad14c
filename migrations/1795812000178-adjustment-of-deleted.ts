import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An adjustment outlives the account that it changed, and the operators who made it. */
export class AdjustmentOfDeleted1795812000178 implements MigrationInterface {
  readonly name = 'AdjustmentOfDeleted1795812000178';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE app_user, adjustment, wallet IN ACCESS EXCLUSIVE MODE;
      ALTER TABLE adjustment DROP CONSTRAINT adjustment_wallet_fk, DROP CONSTRAINT adjustment_proposed_by_fk,
        DROP CONSTRAINT adjustment_decided_by_fk;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE app_user, adjustment, wallet IN ACCESS EXCLUSIVE MODE;
      ALTER TABLE adjustment ADD CONSTRAINT adjustment_wallet_fk FOREIGN KEY (wallet_id) REFERENCES wallet (id),
        ADD CONSTRAINT adjustment_proposed_by_fk FOREIGN KEY (proposed_by) REFERENCES app_user (id),
        ADD CONSTRAINT adjustment_decided_by_fk FOREIGN KEY (decided_by) REFERENCES app_user (id);`);
  }
}
