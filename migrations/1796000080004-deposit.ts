import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bitcoin addresses of wallets, and what was paid to them. */
export class Deposit1796000080004 implements MigrationInterface {
  readonly name = 'Deposit1796000080004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Kept and watched as long as the installation, also when the account is gone.
      CREATE TABLE onchain_address (
        address    text        NOT NULL,
        wallet_id  uuid        NOT NULL,
        account_id uuid        NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT onchain_address_pk PRIMARY KEY (address)
      );
      CREATE INDEX onchain_address_of_wallet ON onchain_address (wallet_id, created_at);
      CREATE INDEX onchain_address_of_account ON onchain_address (account_id, created_at);

      -- An output of a bitcoin transaction to one of these addresses.
      CREATE TABLE deposit (
        txid          text        NOT NULL,
        vout          integer     NOT NULL,
        address       text        NOT NULL,
        -- The wallet that gets it: in bitcoin where it is worth less than a cent.
        wallet_id     uuid        NOT NULL,
        account_id    uuid        NOT NULL,
        sats          bigint      NOT NULL,
        -- Of its block. Empty: it is in the mempool, or gone.
        height        integer,
        block_hash    text,
        seen_at       timestamptz NOT NULL,
        -- The scan that found it last, and since when scans do not find it any more.
        scan          bigint      NOT NULL,
        gone_at       timestamptz,
        state         text        NOT NULL DEFAULT 'pending',
        -- Its row of the history. Empty until there is a price for a wallet in dollars, and for one that is deleted.
        history_id    uuid,
        -- What the wallet got of it, in its unit; and the block in which it had its confirmations.
        credited      bigint,
        credited_hash text,
        -- Since when it is credited without its confirmations, after a reorganisation; how often that was so; and the hold on the wallet.
        unproven_at   timestamptz,
        unproven      integer     NOT NULL DEFAULT 0,
        hold_id       uuid,
        CONSTRAINT deposit_pk PRIMARY KEY (txid, vout),
        CONSTRAINT deposit_state_known CHECK (state IN ('pending', 'waiting', 'credited', 'unclaimed', 'failed')),
        CONSTRAINT deposit_amount CHECK (sats BETWEEN 1 AND 2100000000000000),
        CONSTRAINT deposit_block CHECK ((height IS NULL) = (block_hash IS NULL) AND (height IS NULL OR gone_at IS NULL)),
        CONSTRAINT deposit_credited CHECK ((state = 'credited') = (credited IS NOT NULL)),
        CONSTRAINT deposit_unproven CHECK (unproven_at IS NULL OR state IN ('credited', 'unclaimed')),
        CONSTRAINT deposit_hold CHECK (hold_id IS NULL OR unproven_at IS NOT NULL)
      );
      CREATE INDEX deposit_of_address ON deposit (address);
      CREATE INDEX deposit_of_account ON deposit (account_id, seen_at);
      CREATE INDEX deposit_of_height ON deposit (height);
      CREATE INDEX deposit_pending ON deposit (wallet_id) WHERE state IN ('pending', 'waiting');
      CREATE INDEX deposit_to_review ON deposit (seen_at) WHERE state = 'unclaimed' OR unproven_at IS NOT NULL;

      -- One row. How far the chain was scanned, and the scan whose process may write: none that began before it.
      CREATE TABLE onchain_cursor (
        id         smallint NOT NULL DEFAULT 1,
        scan       bigint   NOT NULL DEFAULT 0,
        height     integer,
        block_hash text,
        CONSTRAINT onchain_cursor_pk PRIMARY KEY (id),
        CONSTRAINT onchain_cursor_one CHECK (id = 1)
      );
      INSERT INTO onchain_cursor DEFAULT VALUES;

      CREATE TYPE onchain_output AS (txid text, vout integer, address text, sats bigint, height integer, block_hash text, seen_at timestamptz);
      -- Of amounts up to bounds[n], confirmations[n] are needed, and the last of them above all bounds.
      CREATE TYPE deposit_terms AS (bounds bigint[], confirmations integer[], fee_sats bigint, free_above_sats bigint);
      -- credit: to the wallet | wait: below the fee | unclaim: the wallet is gone | hold, release: credited, and without its confirmations | with them again
      -- waiting_sats: of deposits that waited at the address and end with it. amount: what the wallet gets or has to hold, in its unit.
      CREATE TYPE deposit_step AS (
        step text, txid text, vout integer, payee bigint, sats bigint, waiting_sats bigint, fee_sats bigint, is_dollars boolean, amount bigint,
        idem uuid, hold_id uuid, result text
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE deposit_step, deposit_terms, onchain_output;
      DROP TABLE onchain_cursor, deposit, onchain_address;`);
  }
}
