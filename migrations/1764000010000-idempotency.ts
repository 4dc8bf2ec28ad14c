import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses to mutations that were sent with an idempotency key. */
export class Idempotency1764000010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency (
        -- SHA-256 over who asks and the key they chose: one caller's keys never meet another's.
        scope         bytea       NOT NULL,
        -- SHA-256 over document and variables: the same key with another request is a mistake of the caller.
        fingerprint   bytea       NOT NULL,
        state         text        NOT NULL DEFAULT 'running',
        -- json and not jsonb: a replay is the answer to the letter.
        answer        json,
        -- One claim, told from every other one: renewing, answering and giving up are for whoever still has it. NULL: nobody has.
        claim         uuid,
        -- Running: the end of its lease, or when it was given up. Answered: when. The day that a key is kept counts from here.
        claimed_until timestamptz NOT NULL,
        -- When this use of the key began: what it moves is named after it.
        created_at    timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_pk PRIMARY KEY (scope),
        CONSTRAINT idempotency_state_known CHECK (state IN ('running', 'done', 'withheld')),
        CONSTRAINT idempotency_answered CHECK ((state = 'done') = (answer IS NOT NULL))
      );
      CREATE INDEX idempotency_claimed_until ON idempotency (claimed_until);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency');
  }
}
