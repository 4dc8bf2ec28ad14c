import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when, and how much, a person sends after a reset of the password. */
export class UserResetLimit1795800100432 implements MigrationInterface {
  readonly name = 'UserResetLimit1795800100432';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user ADD reset_limit_until timestamptz, ADD reset_limit_msat bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user DROP reset_limit_until, DROP reset_limit_msat');
  }
}
