import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses to mutations that were sent with an idempotency key. */
export class Idempotency1764000010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency (
        -- SHA-256 over the caller and the key that it chose: keys of different callers never collide.
        scope         bytea       NOT NULL,
        -- SHA-256 over document and variables: the same key with another request is a mistake of the caller.
        fingerprint   bytea       NOT NULL,
        state         text        NOT NULL DEFAULT 'running',
        -- json and not jsonb: a replay is the same text.
        answer        json,
        -- The fencing token of the present claim: only its holder renews it, stores the response or gives it up. NULL: there is no claim.
        claim         uuid,
        -- Running: the end of its lease, or when it was given up. Done: when. A key is kept for a day from here.
        claimed_until timestamptz NOT NULL,
        -- When this use of the key began: what it moves has an id that is derived from it.
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
