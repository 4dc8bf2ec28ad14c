import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tip1764100001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tipping_tip (
        transaction_id uuid   NOT NULL,
        account_id     uuid   NOT NULL,
        amount_msat    bigint NOT NULL,
        CONSTRAINT tipping_tip_pk PRIMARY KEY (transaction_id)
      );
      CREATE INDEX tipping_tip_of_account ON tipping_tip (account_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tipping_tip');
  }
}
