import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which "not found" of the node is believed sooner: the request ended with its connection, or the process that had sent it is gone. */
export class PaymentDispatcher1795781734000 implements MigrationInterface {
  readonly name = 'PaymentDispatcher1795781734000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_dispatcher (
        id          uuid NOT NULL,
        session_pid integer,
        seen_at     timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payment_dispatcher_pk PRIMARY KEY (id)
      );
      ALTER TABLE payment ADD COLUMN disconnected_at timestamptz, ADD COLUMN not_found_anew boolean NOT NULL DEFAULT false;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment DROP COLUMN not_found_anew, DROP COLUMN disconnected_at;
      DROP TABLE payment_dispatcher;`);
  }
}
