import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The simulated chain and the wallet on it, in a schema of their own like the simulated Lightning network. */
export class SimulatedChain1796000070001 implements MigrationInterface {
  readonly name = 'SimulatedChain1796000070001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SCHEMA simulated_chain;

      -- One row. Its lock puts the changes of the chain and of the leases in an order.
      CREATE TABLE simulated_chain.chain (
        is_only       boolean NOT NULL DEFAULT true,
        -- A call to the wallet mines a block if the latest one is older. 0: blocks are mined by command.
        block_seconds integer NOT NULL DEFAULT 0,
        -- What the wallet keeps back, as for closing channels.
        reserved_sats bigint  NOT NULL DEFAULT 0,
        -- The calls whose next answer is lost.
        lost_answers  text[]  NOT NULL DEFAULT '{}',
        CONSTRAINT chain_pk PRIMARY KEY (is_only),
        CONSTRAINT chain_only CHECK (is_only)
      );
      INSERT INTO simulated_chain.chain DEFAULT VALUES;

      -- The best chain. A reorganisation deletes blocks.
      CREATE TABLE simulated_chain.block (
        height   bigint      NOT NULL,
        hash     text        NOT NULL DEFAULT encode(sha256(uuid_send(gen_random_uuid())), 'hex'),
        mined_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT block_pk PRIMARY KEY (height)
      );
      INSERT INTO simulated_chain.block (height) VALUES (100);

      CREATE TABLE simulated_chain.transaction (
        id         bigint      GENERATED ALWAYS AS IDENTITY,
        txid       text        NOT NULL,
        fee_sats   bigint      NOT NULL,
        -- BIP 125: one that pays more may replace it.
        signals    boolean     NOT NULL,
        label      text        NOT NULL,
        -- 'gone': replaced by a transaction that spends one of its inputs, or dropped from the mempools.
        state      text        NOT NULL DEFAULT 'mempool',
        height     bigint,
        seen_at    timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT transaction_pk PRIMARY KEY (id),
        CONSTRAINT transaction_txid UNIQUE (txid),
        CONSTRAINT transaction_state CHECK (state IN ('mempool', 'confirmed', 'gone') AND (state = 'confirmed') = (height IS NOT NULL)),
        CONSTRAINT transaction_block FOREIGN KEY (height) REFERENCES simulated_chain.block
      );
      CREATE INDEX transaction_of_block ON simulated_chain.transaction (height);
      CREATE INDEX transaction_mempool ON simulated_chain.transaction (id) WHERE state = 'mempool';

      CREATE TABLE simulated_chain.input (
        txid          text    NOT NULL,
        previous_txid text    NOT NULL,
        previous_vout integer NOT NULL,
        CONSTRAINT input_pk PRIMARY KEY (previous_txid, previous_vout, txid),
        CONSTRAINT input_transaction FOREIGN KEY (txid) REFERENCES simulated_chain.transaction (txid)
      );
      CREATE INDEX input_of_transaction ON simulated_chain.input (txid);

      CREATE TABLE simulated_chain.output (
        txid    text    NOT NULL,
        vout    integer NOT NULL,
        address text    NOT NULL,
        sats    bigint  NOT NULL,
        CONSTRAINT output_pk PRIMARY KEY (txid, vout),
        CONSTRAINT output_transaction FOREIGN KEY (txid) REFERENCES simulated_chain.transaction (txid)
      );
      CREATE INDEX output_of_address ON simulated_chain.output (address);

      -- Of the wallet. The key of a position is derived from the simulated node's.
      CREATE SEQUENCE simulated_chain.position;
      CREATE TABLE simulated_chain.address (
        position bigint NOT NULL,
        address  text   NOT NULL,
        CONSTRAINT address_pk PRIMARY KEY (position),
        CONSTRAINT address_unique UNIQUE (address)
      );

      CREATE TABLE simulated_chain.lease (
        txid       text        NOT NULL,
        vout       integer     NOT NULL,
        id         text        NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT lease_pk PRIMARY KEY (txid, vout)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA simulated_chain CASCADE');
  }
}
