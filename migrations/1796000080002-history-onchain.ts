import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A row of the history may be of a bitcoin address, and of an output of a bitcoin transaction. */
export class HistoryOnchain1796000080002 implements MigrationInterface {
  readonly name = 'HistoryOnchain1796000080002';

  /** Checks what is written from now on; `HistoryOnchainOfAll` reads the rows that there are, while payments do not wait. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transaction
        ADD COLUMN address text, ADD COLUMN txid text, ADD COLUMN vout integer,
        DROP CONSTRAINT transaction_initiation_known, DROP CONSTRAINT transaction_settlement_known,
        ADD CONSTRAINT transaction_via_known CHECK (initiation IN ('ln', 'intraledger', 'onchain') AND settlement IN ('ln', 'intraledger', 'onchain')
          AND (initiation = 'onchain') = (address IS NOT NULL) AND (settlement = 'onchain' OR num_nonnulls(txid, vout) = 0)) NOT VALID;
      -- As history_row, of which functions of 0.3.0 make rows until this release creates its own, with the address and the output.
      CREATE TYPE history_row_v2 AS (
        id uuid, wallet_id uuid, direction text, status text, amount bigint, fee bigint, memo text, external_id text, initiation text, settlement text,
        payment_hash text, payment_request text, preimage text, counterparty_wallet_id uuid, counterparty_username text, failure text, cents_per_btc bigint,
        external_id_by_owner boolean, address text, txid text, vout integer
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE history_row_v2;
      ALTER TABLE transaction
        DROP CONSTRAINT transaction_via_known, DROP COLUMN address, DROP COLUMN txid, DROP COLUMN vout,
        ADD CONSTRAINT transaction_initiation_known CHECK (initiation IN ('ln', 'intraledger')),
        ADD CONSTRAINT transaction_settlement_known CHECK (settlement IN ('ln', 'intraledger'));`);
  }
}
