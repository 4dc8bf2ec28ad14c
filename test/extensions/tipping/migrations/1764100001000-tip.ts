import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tip1764100001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tip (
        transaction_id uuid   NOT NULL,
        account_id     uuid   NOT NULL,
        amount_msat    bigint NOT NULL,
        CONSTRAINT tip_pk PRIMARY KEY (transaction_id)
      );
      CREATE INDEX tip_of_account ON tip (account_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tip');
  }
}
