import { createHash } from 'node:crypto';
import { decodeInvoice } from '../../src/money/lightning/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';

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

  it('may have a tag, which the recipient’s name does not include', async () => {
    const offer = await get(`/.well-known/lnurlp/${alice.username}`);
    expect(await get(`/.well-known/lnurlp/${alice.username}+tips`)).toEqual(offer);
    expect(await get(`/.well-known/lnurlp/+${alice.username}`)).toEqual({ status: 'ERROR', reason: 'User not found' });
  });

  it('reports the payment of an invoice (LUD-21), the preimage only once it is paid', async () => {
    const offer = await get(`/.well-known/lnurlp/${alice.username}`);
    const { pr, verify } = await get(`${String(offer['callback'])}?amount=1000`);
    const decoded = decodeInvoice(String(pr));
    if (!decoded.ok) throw new Error(decoded.message);
    expect(await get(String(verify))).toEqual({ status: 'OK', settled: false, preimage: null, pr });
    const bob = await fixture.user({ sats: 10 });
    expect(await bob.pay(String(pr))).toMatchObject({ status: 'SUCCESS' });
    const paid = await get(String(verify));
    expect(paid).toEqual({ status: 'OK', settled: true, preimage: expect.stringMatching(/^[0-9a-f]{64}$/) as string, pr });
    const preimage = Buffer.from(String(paid['preimage']), 'hex');
    expect(createHash('sha256').update(preimage).digest('hex')).toBe(decoded.invoice.paymentHash);
    for (const path of [
      `/.well-known/lnurlp/${bob.username}/verify/${decoded.invoice.paymentHash}`,
      `/.well-known/lnurlp/${alice.username}/verify/${'ab'.repeat(32)}`,
      `/.well-known/lnurlp/${alice.username}/verify/text`,
      `/.well-known/lnurlp/x/verify/${decoded.invoice.paymentHash}`,
    ])
      expect(await get(path)).toEqual({ status: 'ERROR', reason: 'Not found' });
  });

  it('reports nothing of an invoice that no callback created, however it was created', async () => {
    const bob = await fixture.user({ sats: 10 });
    const onBehalf = async (input: object): Promise<string> => {
      const query =
        'mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $input) { invoice { paymentRequest } } }';
      const { data } = await graphql(app.url, query, { input: { recipientWalletId: alice.wallets.BTC, amount: 1, ...input } });
      return data.lnInvoiceCreateOnBehalfOfRecipient.invoice.paymentRequest as string;
    };
    const invoices = [
      (await alice.invoice(1)).paymentRequest,
      await onBehalf({ memo: 'tea' }),
      await onBehalf({ descriptionHash: 'ab'.repeat(32) }),
    ];
    for (const paymentRequest of invoices) {
      const decoded = decodeInvoice(paymentRequest);
      if (!decoded.ok) throw new Error(decoded.message);
      const path = `/.well-known/lnurlp/${alice.username}/verify/${decoded.invoice.paymentHash}`;
      expect(await get(path)).toEqual({ status: 'ERROR', reason: 'Not found' });
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(await get(path)).toEqual({ status: 'ERROR', reason: 'Not found' });
    }
  });

  it('reports the payment of an invoice that a callback of 0.3.0 created', async () => {
    const offer = await get(`/.well-known/lnurlp/${alice.username}`);
    const { verify } = await get(`${String(offer['callback'])}?amount=1000`);
    await app.pool.query('UPDATE invoice SET by_lnurl = NULL');
    expect(await get(String(verify))).toMatchObject({ status: 'OK', settled: false });
    const { paymentHash } = await alice.invoice(1);
    await app.pool.query('UPDATE invoice SET by_lnurl = NULL');
    expect(await get(`/.well-known/lnurlp/${alice.username}/verify/${paymentHash}`)).toMatchObject({ reason: 'Not found' });
  });

  it.each([
    ['', '{"name":"Bob"}', 'From Bob'],
    ['for the café', '{"name":"Bob","identifier":"bob@shop.example"}', 'for the café (from bob@shop.example)'],
    ['', '{ "email": "" }', null],
    ['€'.repeat(159), `{"name":"${'€'.repeat(100)}"}`, '€'.repeat(159)],
  ])('commits to what the payer states (LUD-18), and keeps it for the recipient: %s %s', async (comment, payerdata, memo) => {
    const offer = await get(`/.well-known/lnurlp/${alice.username}`);
    expect(offer).toMatchObject({
      payerData: { name: { mandatory: false }, identifier: { mandatory: false }, email: { mandatory: false } },
    });
    const query = new URLSearchParams({ amount: '1000', comment, payerdata });
    const { pr } = await get(`${String(offer['callback'])}?${query.toString()}`);
    const decoded = decodeInvoice(String(pr));
    if (!decoded.ok) throw new Error(decoded.message);
    const hash = createHash('sha256').update(String(offer['metadata']) + payerdata);
    expect(decoded.invoice.descriptionHash).toBe(hash.digest('hex'));
    const { rows } = await app.pool.query('SELECT memo FROM invoice WHERE payment_hash = $1', [decoded.invoice.paymentHash]);
    expect(rows).toEqual([{ memo }]);
  });

  it('lets every origin read it', async () => {
    for (const path of ['', '/callback?amount=1000', `/verify/${'ab'.repeat(32)}`]) {
      const { headers } = await fetch(`${app.url}/.well-known/lnurlp/${alice.username}${path}`, {
        headers: { origin: 'https://shop.example' },
      });
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
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
    'amount=1000&comment=a&comment=b',
    'amount=1000&payerdata=text',
    'amount=1000&payerdata=[]',
    'amount=1000&payerdata=null',
    'amount=1000&payerdata={"pubkey":"02"}',
    'amount=1000&payerdata={"name":1}',
    'amount=1000&payerdata={"name":"\\u0000"}',
    'amount=1000&payerdata={}&payerdata={}',
    `amount=1000&payerdata={"name":"${'x'.repeat(101)}"}`,
    `amount=1000&payerdata={${'%20'.repeat(1_000)}}`,
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
