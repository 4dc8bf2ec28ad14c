import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What has been spent of limits, of accounts and of budgets. */
export class Spending1795597813714 implements MigrationInterface {
  readonly name = 'Spending1795597813714';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- At least what the owner of a limit has spent in the limit's time: an account by flow, a budget by window. msat of wallets in bitcoin, or
      -- of the whole budget; cents of wallets in dollars. No row: not known yet. read_after: when the payments may be read again.
      CREATE TABLE spending_bound (
        owner      text        NOT NULL,
        part       text        NOT NULL,
        msat       numeric     NOT NULL,
        cents      numeric     NOT NULL,
        read_after timestamptz NOT NULL,
        CONSTRAINT spending_bound_pk PRIMARY KEY (owner, part)
      ) WITH (fillfactor = 50);
      -- The limit of a level for one flow.
      CREATE TYPE account_limit AS (level text, flow text, cents bigint);
      -- What the payment n of a batch takes of one limit. owner: null where the caller has not locked the account. price: cents for one bitcoin.
      -- most: the worth of the whole limit (spending_worth); null: there is none. refusal: the result of a payment that exceeds it.
      CREATE TYPE spend AS (n int, owner text, part text, msat bigint, cents bigint, price bigint, most numeric, refusal text);
      -- A spend beside its limit. rest: what is left of the limit, cost: what the payment takes of it, both as worths; refusal: why it does not begin.
      CREATE TYPE spend_rest AS (rest numeric, cost numeric, refusal text);
      -- What has been spent of one part of a limit, and how many rows it was read from.
      CREATE TYPE spending AS (part text, msat numeric, cents numeric, rows_read bigint);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TYPE spending, spend_rest, spend, account_limit; DROP TABLE spending_bound');
  }
}
