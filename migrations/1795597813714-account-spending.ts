import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What accounts have spent in 24 hours, for the limits of their levels. */
export class AccountSpending1795597813714 implements MigrationInterface {
  readonly name = 'AccountSpending1795597813714';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- At least what an account has sent in the last 24 hours, by flow: msat of its wallet in bitcoin, cents of that in dollars. No row: not known
      -- yet. read_after: when the history may be read again.
      CREATE TABLE account_spending (
        account_id uuid        NOT NULL,
        flow       text        NOT NULL,
        msat       numeric     NOT NULL,
        cents      numeric     NOT NULL,
        read_after timestamptz NOT NULL,
        CONSTRAINT account_spending_pk PRIMARY KEY (account_id, flow)
      ) WITH (fillfactor = 50);
      -- The limit of a level for one flow.
      CREATE TYPE account_limit AS (level text, flow text, cents bigint);
      -- What a payment takes of its account's limit, in the unit of the wallet that pays; 0 in the other. account_id: null where the caller has not
      -- locked the account.
      CREATE TYPE account_spend AS (account_id uuid, flow text, msat bigint, cents bigint);
      -- A payment beside the limit of its account; null: there is none. rest: what is left of the limit, cost: what the payment takes of it, both as
      -- worths (account_worth). refusal: why it does not begin.
      CREATE TYPE account_rest AS (limit_cents bigint, rest numeric, cost numeric, refusal text);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TYPE account_rest, account_spend, account_limit; DROP TABLE account_spending');
  }
}
