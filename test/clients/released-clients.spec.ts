import { join } from 'node:path';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { PROJECT, run } from '../support/server-process.js';
import { Fixture, type Person } from '../support/fixture.js';

/** What a client of test/client/released-clients.mjs reports; a client that fails reports why. */
type Results = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

describe('clients of other people, as released', () => {
  let app: TestApp;
  let fixture: Fixture;
  let results: Results;
  const balance = { me: { defaultAccount: { walletById: { balance: 500 } } } };
  const invoice = { lnInvoiceCreate: { errors: [], invoice: { paymentRequest: expect.stringMatching(/^lnbcrt210n1/) as string } } };
  const refusal = expect.stringMatching(/Cannot query field "nothing"/) as string;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    const [alice, bob] = [await fixture.user({ sats: 500 }), await fixture.user({ sats: 500 })];
    const of = ({ keys, wallets }: Person): object => ({ apiKey: keys.all, walletId: wallets.BTC });
    const unroutable = (await fixture.outside(10, { fail: 'no_route' })).paymentRequest;
    const given = JSON.stringify({ url: `${app.url}/graphql`, alice: of(alice), bob: of(bob), unroutable, port: await freePort() });
    const { stdout, stderr } = await run(process.execPath, [join(PROJECT, 'test/client/released-clients.mjs'), given], {});
    expect(stderr).toBe('');
    // A library prints a warning before.
    results = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Results;
  });
  afterAll(async () => {
    await fixture.expectBalanced();
    await app.close();
  });

  it('urql queries by GET and sends mutations by POST', () => {
    expect(results['urql']).toMatchObject({
      methods: ['GET', 'POST', 'GET'],
      query: { data: balance },
      mutation: { data: invoice },
      refused: { error: refusal },
    });
  });

  it('graphql-request sends both by POST', () => {
    expect(results['graphqlRequest']).toMatchObject({ query: balance, mutation: invoice, refused: refusal });
  });

  it('Apollo Client queries by the hash of a document, and subscribes by GraphQLWsLink', () => {
    expect(results['apollo']).toMatchObject({
      first: balance,
      second: balance,
      queryCalls: ['POST without the document', 'POST', 'POST without the document'],
      mutation: invoice,
      statuses: ['PENDING', 'PAID'],
      refused: refusal,
    });
  });

  it('graphql-ws subscribes', () => {
    expect(results['graphqlWs']).toEqual({ statuses: ['PENDING', 'PAID'] });
  });

  it('lightning-backends reads a balance, creates an invoice with a description hash, pays it and sees it settled', () => {
    expect(results['lightningBackends']).toEqual({
      open: { preimage: null, settled: false },
      paid: 'paid',
      settled: { preimage: null, settled: true },
      receivedMsat: 30_000,
      isKeyValid: true,
      refused: 'status: 401',
    });
  });

  it('lnurl serves payments and withdrawals with Sluice behind it', () => {
    expect(results['lnurlService']).toEqual({
      sent: { status: 'SUCCESS', errors: [], transaction: { settlementAmount: -40 } },
      answer: { status: 'OK' },
      withdrawn: 'PAID',
    });
  });

  it('a mutation by GET is refused, and creates nothing', async () => {
    const query = encodeURIComponent('mutation { lnInvoiceCancel(input: {walletId: "x", paymentHash: "y"}) { success } }');
    const { status, body } = await request(`${app.url}/graphql?query=${query}`);
    expect(status).toBe(405);
    expect(JSON.stringify(body)).toMatch(/GET/);
  });
});
