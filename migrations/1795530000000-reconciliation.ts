import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the payments of each node are compared with: the ledger, in a database that may have been restored. */
export class Reconciliation1795530000000 implements MigrationInterface {
  readonly name = 'Reconciliation1795530000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row. In a restored copy, the number of the transaction that wrote it differs from the one that it states.
      CREATE TABLE database_mark (
        id                smallint NOT NULL DEFAULT 1,
        xid               bigint   NOT NULL,
        system_identifier bigint   NOT NULL,
        timeline          integer  NOT NULL,
        CONSTRAINT database_mark_pk PRIMARY KEY (id),
        CONSTRAINT database_mark_one CHECK (id = 1)
      );
      INSERT INTO database_mark (xid, system_identifier, timeline)
        SELECT pg_current_xact_id()::text::bigint, s.system_identifier, c.timeline_id FROM pg_control_system() s, pg_control_checkpoint() c;

      CREATE TABLE reconciliation (
        node_id        text        NOT NULL,
        -- The payments of the node up to this index have been compared.
        payment_index  bigint      NOT NULL DEFAULT 0,
        -- The node's index, found below payment_index: the node was restored, or its records were deleted.
        went_back_to   bigint,
        -- The database was restored, and this back end lists no payments to compare it with.
        cannot_compare boolean     NOT NULL DEFAULT false,
        compared_at    timestamptz,
        CONSTRAINT reconciliation_pk PRIMARY KEY (node_id),
        CONSTRAINT reconciliation_went_back CHECK (went_back_to < payment_index)
      );

      -- Payments of a node that the ledger does not know.
      CREATE TABLE node_payment (
        node_id       text        NOT NULL,
        payment_hash  text        NOT NULL,
        payment_index bigint      NOT NULL,
        state         text        NOT NULL,
        amount_msat   bigint      NOT NULL,
        fee_msat      bigint      NOT NULL,
        created_at    timestamptz NOT NULL,
        -- 'own': the operator made it by hand. 'unexplained': it may be a payment of Sluice that a restored database has lost.
        verdict       text        NOT NULL,
        found_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT node_payment_pk PRIMARY KEY (node_id, payment_hash),
        CONSTRAINT node_payment_state_known CHECK (state IN ('in_flight', 'settled', 'failed')),
        CONSTRAINT node_payment_verdict_known CHECK (verdict IN ('own', 'unexplained', 'accepted'))
      );
      CREATE INDEX node_payment_in_flight ON node_payment (node_id) WHERE state = 'in_flight';
      CREATE INDEX node_payment_unexplained ON node_payment (node_id) WHERE verdict = 'unexplained';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE database_mark, reconciliation, node_payment');
  }
}
