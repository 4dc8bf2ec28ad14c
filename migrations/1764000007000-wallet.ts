import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts with their wallets, and the history of every wallet. */
export class Wallet1764000007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account (
        id                uuid           NOT NULL,
        user_id           uuid           NOT NULL,
        level             text           NOT NULL DEFAULT 'ONE',
        display_currency  text           NOT NULL DEFAULT 'USD',
        default_wallet_id uuid           NOT NULL,
        created_at        timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT account_pk PRIMARY KEY (id),
        CONSTRAINT account_user_unique UNIQUE (user_id),
        CONSTRAINT account_level_known CHECK (level IN ('ZERO', 'ONE', 'TWO', 'THREE'))
      );
      CREATE TABLE wallet (
        id                uuid           NOT NULL,
        account_id        uuid           NOT NULL,
        currency          text           NOT NULL,
        ledger_account_id bigint         NOT NULL,
        created_at        timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT wallet_pk PRIMARY KEY (id),
        CONSTRAINT wallet_account_fk FOREIGN KEY (account_id) REFERENCES account (id),
        CONSTRAINT wallet_one_per_currency UNIQUE (account_id, currency),
        CONSTRAINT wallet_ledger_account_unique UNIQUE (ledger_account_id),
        CONSTRAINT wallet_currency_known CHECK (currency IN ('BTC', 'USD'))
      );
      CREATE TABLE transaction (
        id                     uuid           NOT NULL,
        account_id             uuid           NOT NULL,
        wallet_id              uuid           NOT NULL,
        currency               text           NOT NULL,
        direction              text           NOT NULL,
        status                 text           NOT NULL,
        -- Minor units of the wallet: msat or cents. Signed; of a send it includes the fee. While a send is pending, both are the most it may cost.
        amount                 bigint         NOT NULL,
        fee                    bigint         NOT NULL DEFAULT 0,
        memo                   text,
        external_id            text,
        -- False: another caller than this account's owner gave it, or there is none
        external_id_by_owner   boolean        NOT NULL,
        initiation             text           NOT NULL,
        settlement             text           NOT NULL,
        payment_hash           text,
        payment_request        text,
        preimage               text,
        counterparty_wallet_id uuid,
        counterparty_username  text,
        failure                text,
        -- The price of the moment, frozen: US cents for one bitcoin.
        cents_per_btc          bigint         NOT NULL,
        -- In each wallet the order of the commits: see history_add.
        created_at             timestamptz(3) NOT NULL,
        settled_at             timestamptz(3),
        CONSTRAINT transaction_pk PRIMARY KEY (id),
        CONSTRAINT transaction_direction_known CHECK (direction IN ('SEND', 'RECEIVE')),
        CONSTRAINT transaction_status_known CHECK (status IN ('PENDING', 'SUCCESS', 'FAILURE')),
        CONSTRAINT transaction_initiation_known CHECK (initiation IN ('ln', 'intraledger')),
        CONSTRAINT transaction_settlement_known CHECK (settlement IN ('ln', 'intraledger')),
        CONSTRAINT transaction_sign CHECK (CASE direction WHEN 'SEND' THEN amount < 0 ELSE amount > 0 END),
        CONSTRAINT transaction_fee_sign CHECK (fee >= 0),
        CONSTRAINT transaction_settled CHECK ((status = 'PENDING') = (settled_at IS NULL))
      );
      CREATE INDEX transaction_of_account ON transaction (account_id, created_at DESC, id DESC);
      CREATE INDEX transaction_of_wallet ON transaction (wallet_id, created_at DESC, id DESC);
      CREATE INDEX transaction_of_hash ON transaction (payment_hash, wallet_id);
      -- A row of the history as callers pass it. It is self-contained: it has all that a Transaction of the API shows.
      CREATE TYPE history_row AS (
        id uuid, wallet_id uuid, direction text, status text, amount bigint, fee bigint, memo text, external_id text, initiation text, settlement text,
        payment_hash text, payment_request text, preimage text, counterparty_wallet_id uuid, counterparty_username text, failure text, cents_per_btc bigint,
        external_id_by_owner boolean
      );
      -- How a pending row ends.
      CREATE TYPE history_end AS (id uuid, status text, amount bigint, fee bigint, preimage text, failure text);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE history_row, history_end;
      DROP TABLE transaction;
      DROP TABLE wallet;
      DROP TABLE account;`);
  }
}
