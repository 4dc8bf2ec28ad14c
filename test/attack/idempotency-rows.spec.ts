import { createTestApp, type TestApp } from '../support/app.js';
import { post, type HttpAnswer } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';
import { faultsIn } from '../support/logs.js';

describe('idempotency keys of anonymous callers', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let keys = 0;
  beforeAll(async () => {
    app = await createTestApp({ env: { TRUST_PROXY: '1' } });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const rows = async (): Promise<number> => (await app.pool.query('SELECT count(*)::int AS n FROM idempotency')).rows[0].n as number;
  const send = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> =>
    post(`${app.url}/graphql`, body, { 'idempotency-key': `key ${++keys}`, ...headers });

  it.each([
    ['what they may not do', 'mutation { apiKeyRevoke(input: { id: "x" }) { apiKey { id } } }'],
    ['nothing at all', 'mutation { __typename }'],
    [
      'more invoices than they may',
      'mutation ($id: WalletId!) { lnInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: $id, amount: 1 }) { invoice { paymentHash } } }',
    ],
  ])('leave few rows, with %s', async (what, query) => {
    const before = await rows();
    const from = { 'x-forwarded-for': `192.0.2.${what.length}` };
    const answers = [];
    for (let i = 0; i < 100; i++) answers.push(await send({ query, variables: { id: alice.wallets.BTC } }, from));
    expect(await rows()).toBeLessThanOrEqual(before + 30);
    expect(answers.at(-1)?.status).toBe(200);
    expect(answers.at(-1)?.body.errors[0].extensions.code).toBe('TOO_MANY_REQUEST');
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    // The keys of another address are not affected.
    const elsewhere = await send({ query, variables: { id: alice.wallets.BTC } }, { 'x-forwarded-for': `198.51.100.${what.length}` });
    expect(elsewhere.body.errors?.[0].extensions.code).not.toBe('TOO_MANY_REQUEST');
  });

  it.each([
    ['arrays', (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
  ])('deeply nested variables are a client error: %s', async (_what, nested) => {
    const query = 'mutation { __typename }';
    for (const variables of [`{"a":${nested(20_000)}}`, `{"a":${nested(100)}}`]) {
      const answer = await post(`${app.url}/graphql`, `{"query":"${query}","variables":${variables}}`, {
        'idempotency-key': `key ${++keys}`,
        ...alice.as('all'),
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].extensions.code).toBe('BAD_REQUEST');
    }
    expect(faultsIn(app.logs)).toEqual([]);
  });

  it('no secret is stored when another field of the document failed', async () => {
    const session = await fixture.session(alice);
    const query = `mutation ($to: WalletId!) {
      apiKeyCreate(input: { name: "once", scopes: [READ] }) { apiKeySecret }
      intraLedgerPaymentSend(input: { walletId: $to, recipientWalletId: $to, amount: 1 }) { status transaction { id } }
    }`;
    const { body } = await send({ query, variables: { to: alice.wallets.BTC } }, session);
    const secret: string = body.data.apiKeyCreate.apiKeySecret;
    const { rows: stored } = await app.pool.query<{ answer: string | null }>(
      'SELECT answer::text FROM idempotency WHERE answer IS NOT NULL',
    );
    expect(stored.filter(({ answer }) => answer?.includes(secret))).toEqual([]);
  });
});
