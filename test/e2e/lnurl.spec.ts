import { createHash } from 'node:crypto';
import { decodeInvoice } from '../../src/lightning/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

describe('a Lightning address', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(path.startsWith('http') ? path : `${app.url}${path}`)).json()) as Record<string, unknown>;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('is paid by LNURL-pay: the invoice commits to the metadata, and the recipient gets the comment', async () => {
    const offer = await get(`/.well-known/lnurlp/${alice.username}`);
    expect(offer).toMatchObject({ tag: 'payRequest', minSendable: 1000 });
    const { pr } = await get(`${String(offer['callback'])}?amount=21000&comment=${encodeURIComponent('for the café')}`);
    const decoded = decodeInvoice(String(pr));
    if (!decoded.ok) throw new Error(decoded.message);
    expect(decoded.invoice.amountMsat).toBe(21_000n);
    expect(decoded.invoice.descriptionHash).toBe(createHash('sha256').update(String(offer['metadata'])).digest('hex'));
    const bob = await fixture.user({ sats: 100 });
    expect(await bob.pay(String(pr))).toMatchObject({ status: 'SUCCESS' });
    expect(await alice.sats()).toBe(21);
    const { rows } = await app.pool.query('SELECT direction, memo FROM transaction WHERE payment_hash = $1 ORDER BY direction', [
      decoded.invoice.paymentHash,
    ]);
    expect(rows).toEqual([
      { direction: 'RECEIVE', memo: 'for the café' },
      { direction: 'SEND', memo: null },
    ]);
  });

  it.each([
    'amount=0',
    'amount=999',
    'amount=1500',
    'amount=1e3',
    'amount=-1000',
    'amount=99999999999999999999',
    '',
    'amount=1000&amount=2000',
    `amount=1000&comment=${'x'.repeat(160)}`,
    'amount=1000&comment=%00',
  ])('answers %s with a reason and no invoice', async (query) => {
    expect(await get(`/.well-known/lnurlp/${alice.username}/callback?${query}`)).toEqual({
      status: 'ERROR',
      reason: expect.any(String) as string,
    });
  });

  it.each(['nobody_here', 'x', '%00', "'; DROP TABLE invoice"])('answers that there is no user %s', async (username) => {
    expect(await get(`/.well-known/lnurlp/${encodeURIComponent(username)}`)).toMatchObject({ status: 'ERROR' });
  });
});
