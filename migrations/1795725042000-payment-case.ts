import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The steps of `payment_begin_v2` pass these on; functions that had more arguments while 0.3.0 was developed go. */
export class PaymentCase1795725042000 implements MigrationInterface {
  readonly name = 'PaymentCase1795725042000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS payment_begin_v2(payment_attempt[], dealer_order[], text, bigint, bigint, account_limit[], bigint, boolean);
      DROP FUNCTION IF EXISTS dealer_lock(dealer_terms[], boolean);
      DROP FUNCTION IF EXISTS account_lock(uuid[], boolean);
      DROP FUNCTION IF EXISTS budget_spends(payment_candidate[], uuid[]);
      DROP FUNCTION IF EXISTS payment_node_verdict(payment_candidate, text[], text[]);
      -- A payment with all that payment_begin_judge judges it by, beside the limits. spend: what it takes of the limit of its account;
      -- node_verdict, freeze_verdict: why the node's own payments, or a stop of sends, refuse it.
      CREATE TYPE payment_case AS (
        payment payment_candidate, terms dealer_terms, dealer_order dealer_order, spend spend, node_verdict text, freeze_verdict text
      );
      -- What the payments of a batch take of limits, and beside each what is left of it. refusals: why a payment exceeds one by itself, in
      -- the order of the payments. is_within: all of them together exceed none; null: there are no limits.
      CREATE TYPE payment_limits AS (spends spend[], rests spend_rest[], refusals text[], is_within boolean);
      -- verdict: why the payment does not begin. first: the payment of its hash, perhaps itself, that may begin. goes: to the ledger.
      CREATE TYPE payment_judgement AS (n integer, verdict text, first integer, goes boolean);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TYPE payment_judgement, payment_limits, payment_case');
  }
}
