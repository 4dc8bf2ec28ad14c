import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments from and invoices of wallets in dollars: what the dealer has promised, at which price. */
export class Dealer1795576889546 implements MigrationInterface {
  readonly name = 'Dealer1795576889546';

  /** The constraints hold for what is written from now on; `DealerOfAll` reads the rows that there are, while sends do not wait. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: the payer's wallet is in bitcoin. amount_cents: what the payer is charged without the fee; held_cents: the most that it is charged.
      -- dealer_cents_per_btc: the price that the dealer has promised; null: nothing was exchanged.
      ALTER TABLE payment ADD COLUMN amount_cents bigint, ADD COLUMN held_cents bigint, ADD COLUMN dealer_cents_per_btc bigint,
        ADD CONSTRAINT payment_dollars_fit CHECK (num_nulls(amount_cents, held_cents) <> 1 AND amount_cents > 0 AND held_cents >= amount_cents AND dealer_cents_per_btc > 0) NOT VALID,
        ADD CONSTRAINT payment_dealer_covered CHECK (amount_cents::numeric * 100000000000 >= amount_msat::numeric * dealer_cents_per_btc) NOT VALID;
      -- Null: the wallet is in bitcoin. amount_cents: what the recipient gets for amount_msat; null too if the payer chooses the amount.
      ALTER TABLE invoice ADD COLUMN amount_cents bigint, ADD COLUMN dealer_cents_per_btc bigint,
        ADD CONSTRAINT invoice_dollars_fit CHECK (CASE WHEN dealer_cents_per_btc IS NULL THEN amount_cents IS NULL
          ELSE dealer_cents_per_btc > 0 AND num_nulls(amount_cents, amount_msat) <> 1 END AND amount_cents > 0) NOT VALID,
        ADD CONSTRAINT invoice_dealer_covered CHECK (amount_cents::numeric * 100000000000 <= amount_msat::numeric * dealer_cents_per_btc) NOT VALID;
      ALTER TABLE invoice_forgotten ADD COLUMN dealer_cents_per_btc bigint;
      -- What a payment is asked to be beside its attempt: an amount in cents, of a wallet in dollars, and the prices at which the dealer buys
      -- bitcoin (bid) and sells it (ask). Null: none.
      CREATE TYPE dealer_order AS (amount_cents bigint, bid bigint, ask bigint);
      -- What a payment comes to. amount: what the payer is charged without the fee; debit: what is moved or held; both in the payer's unit.
      -- credit: in the payee's unit. price: the dealer's; null: nothing is exchanged. rise: by how much it owes more, in cents.
      CREATE TYPE dealer_terms AS (amount bigint, debit bigint, credit bigint, price bigint, rise bigint);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE dealer_terms, dealer_order;
      ALTER TABLE invoice_forgotten DROP COLUMN dealer_cents_per_btc;
      ALTER TABLE invoice DROP COLUMN amount_cents, DROP COLUMN dealer_cents_per_btc;
      ALTER TABLE payment DROP COLUMN amount_cents, DROP COLUMN held_cents, DROP COLUMN dealer_cents_per_btc;`);
  }
}
