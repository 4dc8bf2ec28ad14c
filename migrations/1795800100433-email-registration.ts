import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The code that was sent to an address, by which a person proves to receive mail there. */
export class EmailRegistration1795800100433 implements MigrationInterface {
  readonly name = 'EmailRegistration1795800100433';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE email_registration (
        user_id    uuid        NOT NULL CONSTRAINT email_registration_pk PRIMARY KEY CONSTRAINT email_registration_user_fk REFERENCES app_user (id) ON DELETE CASCADE,
        id         uuid        NOT NULL,
        address    text        NOT NULL,
        code_mac   bytea       NOT NULL,
        tries      integer     NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE email_registration');
  }
}
