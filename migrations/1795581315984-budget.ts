import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a key, or another principal, may spend in rolling windows. */
export class Budget1795581315984 implements MigrationInterface {
  readonly name = 'Budget1795581315984';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- id: of the principal that it limits. Null: no limit in that window; a budget without any limit has no row.
      CREATE TABLE budget (
        id           text   NOT NULL,
        daily_msat   bigint,
        weekly_msat  bigint,
        monthly_msat bigint,
        annual_msat  bigint,
        CONSTRAINT budget_pk PRIMARY KEY (id),
        CONSTRAINT budget_positive CHECK (daily_msat > 0 AND weekly_msat > 0 AND monthly_msat > 0 AND annual_msat > 0)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE budget');
  }
}
