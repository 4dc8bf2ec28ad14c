import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An operator has disabled a user: nothing acts for them until they are enabled again. */
export class UserDisabled1795779238381 implements MigrationInterface {
  readonly name = 'UserDisabled1795779238381';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user ADD COLUMN disabled_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user DROP COLUMN disabled_at');
  }
}
