import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TestApp } from '../support/app.js';
import { createDollarApp, createInvoice } from '../support/dollars.js';
import { Fixture } from '../support/fixture.js';

const AHEAD = `interval '40 days'`;

/** What it wrote meanwhile has times of the future. */
describe('after the clock of the database was far ahead, and was set back', () => {
  let app: TestApp;
  let client: pg.PoolClient;

  beforeAll(async () => {
    app = await createDollarApp({ env: { DEALER_INVOICE_OPEN_CENTS: '1000' } });
  });
  beforeEach(async () => {
    client = await app.pool.connect();
    await client.query('BEGIN');
  });
  afterEach(async () => {
    await client.query('ROLLBACK');
    client.release();
  });
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const ask = async (text: string, values: unknown[] = []): Promise<any[]> => (await client.query<any>(text, values)).rows;

  it('a rate limit counts in a new window', async () => {
    const key = randomBytes(16);
    await ask(`INSERT INTO rate_limit_window (key, hits, ends_at) VALUES ($1, 1000, now() + ${AHEAD})`, [key]);
    const consume = async (cost: number): Promise<unknown> =>
      (
        await ask('SELECT hits, left_ms <= 60000 AS bounded FROM rate_limit_consume(ARRAY[$1::bytea], ARRAY[$2::int], ARRAY[60000])', [
          key,
          cost,
        ])
      )[0];
    expect(await consume(0)).toEqual({ hits: 0, bounded: true });
    expect(await consume(1)).toEqual({ hits: 1, bounded: true });
    expect(await consume(1)).toEqual({ hits: 2, bounded: true });
  });

  it('a repeat takes over the request of a process that died, under the same idempotency ids', async () => {
    const claim = async (key: Buffer): Promise<{ verdict: string; since: string | null }> =>
      (await ask('SELECT verdict, since FROM idempotency_claim($1, $2, 60, 86400)', [key, Buffer.from('this')]))[0];
    const key = randomBytes(32);
    const { since } = await claim(key);
    await ask(`UPDATE idempotency SET claimed_until = now() + interval '100 seconds' WHERE scope = $1`, [key]);
    expect(await claim(key)).toMatchObject({ verdict: 'running' });
    await ask(`UPDATE idempotency SET claimed_until = now() + ${AHEAD} WHERE scope = $1`, [key]);
    expect(await claim(key)).toEqual({ verdict: 'mine', since });
  });

  it('new rates replace the stored ones', async () => {
    const record = (cents: number, from: string): Promise<unknown> =>
      ask(`SELECT price_record(6000000, jsonb_build_object('EUR', $1::int), ${from}, ${from} + interval '1 hour')`, [cents]);
    await record(1, `now() + ${AHEAD}`);
    await record(2, 'now()');
    expect(await ask(`SELECT rates -> 'EUR' AS rate FROM price_rate`)).toEqual([{ rate: 2 }]);
  });

  it('invoices in dollars are not counted as open until then', async () => {
    const alice = await new Fixture(app).user();
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 1_000);
    expect((await createInvoice(app, 'lnUsdInvoiceCreate', alice, 1_000)).invoice).toBeNull();
    await app.pool.query(
      `UPDATE invoice SET created_at = created_at + ${AHEAD}, expires_at = expires_at + ${AHEAD} WHERE payment_hash = $1`,
      [invoice.paymentHash],
    );
    expect((await createInvoice(app, 'lnUsdInvoiceCreate', alice, 1_000)).invoice).not.toBeNull();
  });

  it('a payment is looked up, and ends after two reports a lease apart', async () => {
    const id = randomUUID();
    const { accountId, wallets } = await new Fixture(app).user();
    await ask(
      `INSERT INTO payment (id, account_id, wallet_id, kind, node_id, payment_hash, amount_msat, fee_limit_msat, principal_id, state, created_at, next_check_at, not_found_at)
       VALUES ($1, $2, $3, 'ln', 'n', $4, 1, 0, 'key', 'in_flight', now() + ${AHEAD}, now() + ${AHEAD}, now() + ${AHEAD})`,
      [id, accountId, wallets.BTC, randomBytes(32).toString('hex')],
    );
    expect(await ask('SELECT id FROM payment_due(10, 60)')).toEqual([{ id }]);
    const report = async (): Promise<string> =>
      (await ask(`SELECT payment_not_found_v2($1, 'not_found', true, 60, 600) AS verdict`, [id]))[0].verdict;
    expect(await report()).toBe('held');
    expect(await ask('SELECT not_found_at = now() AS anew FROM payment WHERE id = $1', [id])).toEqual([{ anew: true }]);
    expect(await report()).toBe('held');
    await ask(`UPDATE payment SET not_found_at = now() - interval '61 seconds' WHERE id = $1`, [id]);
    expect(await report()).toBe('unsent');
  });
});
