import { createHash } from 'node:crypto';
import { LightningBackend } from '../../src/money/lightning/index.js';
import { InvoiceService } from '../../src/money/invoice/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { Fixture, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';

const CREATE = `mutation ($input: LnInvoiceCreateInput!) {
  one: lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash paymentRequest } } }`;
const TWO = `mutation ($input: LnInvoiceCreateInput!) {
  one: lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash paymentRequest } }
  two: lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash paymentRequest } } }`;

interface Created {
  readonly errors: readonly { readonly code: string }[];
  readonly invoice: { readonly paymentHash: string; readonly paymentRequest: string } | null;
}

let app: TestApp;
let fixture: Fixture;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  alice = await fixture.user();
});
beforeEach(() => app.pool.query(`DELETE FROM invoice; UPDATE simulator.invoice SET state = 'cancelled' WHERE state = 'open'`));
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

let calls = 0;
const nextKey = (): string => `repeated ${++calls}`;

const create = async (key: string, input: object = {}, document = CREATE): Promise<Record<'one' | 'two', Created>> => {
  const answer = await graphql<Record<'one' | 'two', Created>>(
    app.url,
    document,
    { input: { walletId: alice.wallets.BTC, amount: 21, ...input } },
    { ...alice.as('receive'), 'idempotency-key': key },
  );
  if (!answer.data) throw new Error(JSON.stringify(answer));
  return answer.data;
};

/** Leaves the rows of keys as a process leaves them that stops before it stores its answer, once their leases have ended. */
const loseAnswers = (): Promise<unknown> =>
  app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claim = NULL, claimed_until = now()`);
const loseRows = (): Promise<unknown> => app.pool.query('DELETE FROM invoice');
const rows = async (): Promise<unknown> => (await app.pool.query(`SELECT count(*)::int AS invoices FROM invoice`)).rows[0].invoices;

describe('lnInvoiceCreate under one idempotency key whose answer was not stored', () => {
  it.each([
    ['without an external id', {}],
    ['with an external id', { externalId: 'order-7' }],
  ])('returns the invoice of the first call, %s', async (_, input) => {
    const key = nextKey();
    const first = await create(key, input);
    await loseAnswers();
    expect(await create(key, input)).toEqual(first);
    expect(await rows()).toBe(1);
  });

  it('returns the invoice that only the node has, and it can be paid', async () => {
    const key = nextKey();
    const first = await create(key);
    await loseAnswers();
    await loseRows();
    expect(await create(key)).toEqual(first);
    expect(await rows()).toBe(1);
    const before = await alice.sats();
    await fixture.simulator.payOutside(first.one.invoice?.paymentRequest ?? '');
    await eventually(async () => (await alice.sats()) === before + 21);
  });

  it.each([
    ['cancelled', `UPDATE simulator.invoice SET state = 'cancelled'`],
    ['expired', `UPDATE simulator.invoice SET expires_at = now() - interval '1 second'`],
  ])('creates another invoice if the node’s is %s and no caller can have got it', async (_, end) => {
    const key = nextKey();
    const first = await create(key);
    await loseAnswers();
    await loseRows();
    await app.pool.query(`${end} WHERE payment_hash = $1`, [first.one.invoice?.paymentHash]);
    const second = await create(key);
    expect(second.one).toMatchObject({
      errors: [],
      invoice: { paymentHash: expect.not.stringMatching(first.one.invoice?.paymentHash ?? '') },
    });
    expect(await app.get(LightningBackend).lookupInvoice(second.one.invoice?.paymentHash ?? '')).toMatchObject({ status: 'open' });
  });

  it('repeats a refused external id, and leaves no invoice open at the node', async () => {
    await create(nextKey(), { externalId: 'order-8' });
    const key = nextKey();
    const refused = await create(key, { externalId: 'order-8' });
    expect(refused.one).toMatchObject({ invoice: null, errors: [{ code: 'INVALID_INPUT' }] });
    await loseAnswers();
    expect(await create(key, { externalId: 'order-8' })).toEqual(refused);
    const { rows: open } = await app.pool.query(`SELECT payment_hash FROM simulator.invoice WHERE payee = 'ours' AND state = 'open'`);
    expect(open).toEqual((await app.pool.query('SELECT payment_hash FROM invoice')).rows);
  });

  it('returns to each alias its own invoice', async () => {
    const key = nextKey();
    const first = await create(key, {}, TWO);
    expect(first.one.invoice?.paymentHash).not.toBe(first.two.invoice?.paymentHash);
    await loseAnswers();
    expect(await create(key, {}, TWO)).toEqual(first);
    expect(await rows()).toBe(2);
  });

  it('creates other invoices for another key and for another person', async () => {
    const first = await create('the same words');
    const bob = await fixture.user();
    const input = { walletId: bob.wallets.BTC, amount: 21 };
    const { data } = await graphql<{ one: Created }>(
      app.url,
      CREATE,
      { input },
      { ...bob.as('receive'), 'idempotency-key': 'the same words' },
    );
    const hashes = [first, await create(nextKey()), data].map((each) => each?.one.invoice?.paymentHash);
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('one attempt', () => {
  it('whose answer from the node is lost gets the node’s invoice with the next call', async () => {
    const node = app.get(LightningBackend);
    const made = node.createInvoice.bind(node);
    let paymentRequest: string | undefined;
    node.createInvoice = async (request) => {
      node.createInvoice = made;
      const created = await made(request);
      if (created.status === 'created') ({ paymentRequest } = created);
      return { status: 'unknown' };
    };
    const key = nextKey();
    expect((await create(key)).one).toMatchObject({ invoice: null, errors: [{ code: 'LND_OFFLINE' }] });
    expect((await create(key)).one).toMatchObject({ errors: [], invoice: { paymentRequest } });
    expect(await rows()).toBe(1);
  });

  it('that runs several times at once makes one invoice', async () => {
    const params = { walletId: alice.wallets.BTC, userId: alice.userId, amountSats: 5, externalId: 'order-9', attempt: 'five at once' };
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => app.get(InvoiceService).create(params)));
    const hashes = outcomes.map((outcome) => (outcome.kind === 'created' ? outcome.invoice.paymentHash : outcome.kind));
    expect(new Set(hashes)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{64}$/)]));
    expect(await rows()).toBe(1);
    expect(await app.get(LightningBackend).lookupInvoice(hashes[0] ?? '')).toMatchObject({ status: 'open' });
  });

  it('has a payment hash that its name alone does not give away', async () => {
    const { one } = await create('a name that callers know');
    const { rows: keys } = await app.pool.query<{ scope: string; since: string }>(
      `SELECT encode(scope, 'hex') AS scope, created_at::text AS since FROM idempotency ORDER BY created_at DESC LIMIT 1`,
    );
    const name = `${keys[0]?.scope} ${keys[0]?.since} one`;
    const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
    expect(digest(digest(name)).toString('hex')).not.toBe(one.invoice?.paymentHash);
  });
});
