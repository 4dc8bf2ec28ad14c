import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which a start recognises that its SECRET_KEY is that of the database. */
export class SecretKeyCode1795778000000 implements MigrationInterface {
  readonly name = 'SecretKeyCode1795778000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE secret_key_code (code bytea NOT NULL, CONSTRAINT secret_key_code_pk PRIMARY KEY (code))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secret_key_code');
  }
}
