import pg from 'pg';
import { recordsOf } from '../../src/platform/database/records.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import type { Attempt, ModelInvoice, Resolution } from './payment-model.js';

/** Payers receive nothing: a batch reads what a wallet has at its start, to refuse payments of one hash that it cannot afford. */
export const PAYERS = ['anna', 'berta', 'clara'];
export const PAYEES = ['paul', 'quentin'];
export const WALLETS = [...PAYERS, ...PAYEES].flatMap((name) => [name, `${name}$`]);
export const FUNDS = 40_000n;
const NODE = 'planted-node';
const YEAR_MS = 31_536_000_000;
const timeOf = (isExpired: boolean): Date => new Date(Date.now() + (isExpired ? -YEAR_MS : YEAR_MS));

/** One database with the people and their invoices. Its wallets have ids of their own; accounts of the ledger are the same in each. */
export class Payments {
  private readonly wallets = new Map<string, { id: string; user: string; account: string }>();

  private constructor(
    private readonly database: TestDatabase,
    private readonly client: pg.Client,
  ) {}

  static async open(invoices: readonly ModelInvoice[]): Promise<Payments> {
    const database = await createTestDatabase();
    const client = new pg.Client(database.connection);
    await client.connect();
    const payments = new Payments(database, client);
    await payments.seed(invoices);
    return payments;
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.database.drop();
  }

  async begin(attempts: readonly Attempt[]): Promise<string[]> {
    const rows = attempts.map((attempt) => {
      const payer = this.wallets.get(attempt.payer);
      return {
        ...attempt,
        user: payer?.user ?? attempt.id,
        payer: payer?.id ?? attempt.id,
        payee: attempt.hash !== null ? null : (this.wallets.get(attempt.payee ?? '')?.id ?? attempt.id),
        expiresAt: timeOf(attempt.isExpired),
        principal: 'test',
      };
    });
    const names = [
      'id',
      'user',
      'payer',
      'payee',
      'hash',
      'text',
      'expiresAt',
      'amount',
      'feeLimit',
      'memo',
      'principal',
      'client',
      'toNode',
    ];
    return this.codes("SELECT result AS code FROM payment_begin_v2($1::payment_attempt[], '{}', $2, 1, 0, NULL, NULL)", [
      recordsOf<string>(rows, ...names),
      NODE,
    ]);
  }

  async dispatch(claims: readonly { id: string; token: string }[]): Promise<string[]> {
    return this.codes('SELECT unnest(payment_dispatch($1::payment_claim[])) AS code', [recordsOf(claims, 'id', 'token')]);
  }

  async finish(resolutions: readonly Resolution[]): Promise<string[]> {
    return this.codes('SELECT code FROM payment_finish($1::payment_resolution[])', [
      recordsOf<string>(
        resolutions.map((each) => ({ ...each, failure: each.state === 'settled' ? null : 'planted' })),
        'id',
        'state',
        'fee',
        'preimage',
        'failure',
      ),
    ]);
  }

  /** What each wallet can spend. */
  async available(): Promise<Map<string, bigint>> {
    const { rows } = await this.client.query<{ id: string; free: string }>('SELECT id, posted - held AS free FROM ledger_account');
    const free = new Map(rows.map((row) => [row.id, BigInt(row.free)]));
    return new Map([...this.wallets].map(([name, { account }]) => [name, free.get(account) ?? 0n]));
  }

  /** All that batches must not change: without times, and without the ids that only this database has. */
  async rows(): Promise<unknown[]> {
    const { rows } = await this.client.query(`
      SELECT 'journal' AS what, concat_ws(' ', j.idem, j.op, j.kind, j.hold_id, encode(j.content, 'hex'),
                      (SELECT string_agg(concat_ws(':', e.account_id, e.amount, e.balance_after), ',' ORDER BY e.account_id) FROM ledger_entry e WHERE e.journal_id = j.id)) AS text FROM ledger_journal j
      UNION ALL SELECT 'account', concat_ws(' ', id, posted, held) FROM ledger_account
      UNION ALL SELECT 'hold', concat_ws(' ', id, account_id, amount, state) FROM ledger_hold
      UNION ALL SELECT 'payment', concat_ws(' ', p.id, w.ledger_account_id, p.kind, p.state, p.amount_msat, p.fee_limit_msat, p.fee_msat, p.preimage, p.failure, p.dispatch_token) FROM payment p JOIN wallet w ON w.id = p.wallet_id
      UNION ALL SELECT 'transaction', concat_ws(' ', CASE t.direction WHEN 'SEND' THEN t.id END, w.ledger_account_id, t.direction, t.status, t.amount, t.fee, t.payment_hash, t.preimage, t.failure, t.counterparty_username)
        FROM transaction t JOIN wallet w ON w.id = t.wallet_id
      UNION ALL SELECT 'invoice', concat_ws(' ', payment_hash, state, settled_via) FROM invoice
      UNION ALL SELECT 'audit', concat_ws(' ', what, n) FROM ledger_audit WHERE n <> 0
      ORDER BY 1, 2`);
    return rows;
  }

  private async codes(text: string, values: unknown[]): Promise<string[]> {
    return (await this.client.query<{ code: string }>(text, values)).rows.map(({ code }) => code);
  }

  private async seed(invoices: readonly ModelInvoice[]): Promise<void> {
    const people = [...PAYERS, ...PAYEES];
    await this.client.query(
      `INSERT INTO app_user (id, email, username, password_hash) SELECT gen_random_uuid(), name || '@example.test', name, '' FROM unnest($1::text[]) WITH ORDINALITY AS x(name, n) ORDER BY n`,
      [people],
    );
    const { rows } = await this.client.query<{ name: string; id: string; user: string; account: string }>(`
      SELECT u.username || CASE w.currency WHEN 'USD' THEN '$' ELSE '' END AS name, w.id, u.id AS user, w.ledger_account_id AS account
        FROM wallet w JOIN account a ON a.id = w.account_id JOIN app_user u ON u.id = a.user_id`);
    for (const { name, ...wallet } of rows) this.wallets.set(name, wallet);
    await this.client.query(
      `SELECT ledger_apply(ARRAY(SELECT ROW('post', md5(id::text)::uuid, 1, NULL, ARRAY[ROW(-1, -$2::bigint), ROW(id, $2::bigint)]::ledger_leg[])::ledger_operation FROM unnest($1::bigint[]) AS x(id)))`,
      [PAYERS.map((name) => this.wallets.get(name)?.account), FUNDS],
    );
    // The index of the node has never gone back.
    await this.client.query(`INSERT INTO payment_node (node_id, payment_index, unbroken_since) VALUES ($1, 0, now() - interval '1 day')`, [
      NODE,
    ]);
    for (const { hash, text, preimage, payee, amount, isExpired, state } of invoices)
      await this.client.query(
        `INSERT INTO invoice (payment_hash, account_id, wallet_id, node_id, payment_request, payment_secret, preimage, amount_msat, external_id, by_owner, cents_per_btc, state, expires_at)
         SELECT $1, account_id, id, $2, $3, '', $4, $5, $1, true, 1, $6, $7 FROM wallet WHERE id = $8`,
        [hash, NODE, text, preimage, amount, state, timeOf(isExpired), this.wallets.get(payee)?.id],
      );
  }
}
