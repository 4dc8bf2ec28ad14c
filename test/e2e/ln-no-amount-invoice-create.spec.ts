import { decodeInvoice, type Bolt11Invoice } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { untilListening } from '../support/event-probe.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';

const CREATE = `mutation ($input: LnNoAmountInvoiceCreateInput!) { lnNoAmountInvoiceCreate(input: $input) { errors { __typename message code path }
  invoice { __typename paymentHash paymentRequest paymentSecret paymentStatus externalId externalIdByOwner createdAt } } }`;
const FIELDS = '__typename paymentHash paymentStatus ... on LnInvoice { satoshis }';
const INVOICES = `query ($wallet: WalletId!, $hash: PaymentHash!) { me { defaultAccount { invoices { edges { node { ${FIELDS} } } }
  walletById(walletId: $wallet) { invoiceByPaymentHash(paymentHash: $hash) { ${FIELDS} } invoices { edges { node { ${FIELDS} } } } } } } }`;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) {
  direction status memo externalId settlementAmount settlementFee initiationVia { ... on InitiationViaLn { paymentHash paymentRequest } } } } } } }`;
const STATUS =
  'subscription ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status paymentPreimage errors { code } } }';
const UPDATES =
  'subscription { myUpdates { update { __typename ... on LnUpdate { status paymentHash transaction { settlementAmount } } } } }';
const HOURS = 3_600;

interface Status {
  readonly lnInvoicePaymentStatusByHash: { readonly status: string; readonly paymentPreimage: string | null };
}

describe('lnNoAmountInvoiceCreate', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterEach(async () => {
    await fixture.simulator.setAway(false);
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const create = async (
    input: Record<string, unknown> = {},
    { key = 'receive', by = alice, headers = {} }: { key?: 'receive' | 'write' | 'all'; by?: Person; headers?: object } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  ): Promise<any> => {
    const variables = { input: { walletId: by.wallets.BTC, ...input } };
    return (await dataOf(app.url, CREATE, variables, { ...by.as(key), ...headers })).lnNoAmountInvoiceCreate;
  };
  const read = (paymentRequest: string): Bolt11Invoice => {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) throw new Error(`Not an invoice: ${paymentRequest}`);
    return decoded.invoice;
  };
  const refusal = (message: string, path: readonly string[] | null, code = 'INVALID_INPUT'): object => ({
    invoice: null,
    errors: [{ __typename: 'GraphQLApplicationError', message, code, path }],
  });

  it.each(['receive', 'write', 'all'] as const)('creates an invoice with a key that may %s', async (key) => {
    const { errors, invoice } = await create({ memo: 'Käse & Brot 🧀' }, { key });
    expect(errors).toEqual([]);
    expect(invoice).toEqual({
      __typename: 'LnNoAmountInvoice',
      paymentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      paymentRequest: expect.stringMatching(/^lnbcrt1[a-z0-9]+$/) as string,
      paymentSecret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      paymentStatus: 'PENDING',
      externalId: invoice.paymentHash,
      externalIdByOwner: true,
      createdAt: expect.any(Number) as number,
    });
    expect(read(invoice.paymentRequest)).toMatchObject({
      network: 'regtest',
      amountMsat: null,
      paymentHash: invoice.paymentHash,
      paymentSecret: invoice.paymentSecret,
      description: 'Käse & Brot 🧀',
    });
  });

  it.each([
    [undefined, 2 * HOURS],
    [null, 2 * HOURS],
    [0, 2 * HOURS],
    [1, 60],
    ['15', 15 * 60],
    [1_440, 24 * HOURS],
    [1_441, 2 * HOURS],
  ])('expires, for %j minutes, after %i seconds', async (expiresIn, seconds) => {
    const { invoice } = await create({ expiresIn });
    const { createdAt, expiresAt } = read(invoice.paymentRequest);
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(seconds * 1000);
    const { rows } = await app.pool.query<{ lasts: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS lasts FROM invoice WHERE payment_hash = $1',
      [invoice.paymentHash],
    );
    expect(rows).toEqual([{ lasts: seconds }]);
  });

  it.each([
    [{ expiresIn: -1 }, 'Invalid value for Minutes', 'expiresIn'],
    [{ memo: 'a'.repeat(640) }, 'Memo is too long', 'memo'],
    [{ externalId: 'A b' }, 'Invalid value for TxExternalId', 'externalId'],
    [{ walletId: 'wallet' }, 'Invalid value for WalletId', 'walletId'],
  ])('refuses %j', async (input, message, argument) => {
    expect(await create(input)).toEqual(refusal(message, ['input', argument]));
  });

  it('refuses wallets of other accounts, and unknown ones', async () => {
    for (const walletId of [bob.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
      expect(await create({ walletId })).toEqual(refusal('Wallet not found', ['input', 'walletId'], 'NOT_FOUND'));
  });

  it('refuses an external id that the account already has, also on an invoice with an amount', async () => {
    const taken = refusal('An invoice with this externalId already exists', ['input', 'externalId']);
    expect(await create({ externalId: 'once' })).toMatchObject({ errors: [], invoice: { externalId: 'once' } });
    expect(await create({ externalId: 'once' })).toEqual(taken);
    await alice.invoice(1, undefined, { externalId: 'with-amount' });
    expect(await create({ externalId: 'with-amount' })).toEqual(taken);
    expect(await create({ externalId: 'once' }, { by: bob })).toMatchObject({ errors: [] });
  });

  it('requires receive or write', async () => {
    const { data, errors } = await graphql(app.url, CREATE, { input: { walletId: alice.wallets.BTC } }, alice.as('read'));
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'receive write' } }]);
  });

  it('fails while the node is unavailable', async () => {
    await fixture.simulator.setAway(true);
    expect(await create()).toEqual(refusal('Invoices are temporarily unavailable. Please try again.', null, 'LND_OFFLINE'));
  });

  it('is the same invoice for a repeat under the same idempotency key', async () => {
    const [first, second] = [
      await create({}, { headers: { 'idempotency-key': 'again' } }),
      await create({}, { headers: { 'idempotency-key': 'again' } }),
    ];
    expect(second).toEqual(first);
  });

  describe('a payment from outside', () => {
    it.each([
      [1_000n, 1],
      [21_000_999n, 21_000],
      [999n, 0],
    ])('of %i msat credits what arrived: %i sats', async (amountMsat, sats) => {
      const carol = await fixture.user();
      const { invoice } = await create({}, { by: carol });
      expect(await fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat })).toMatchObject({ status: 'paid' });
      const posted = async (): Promise<bigint | undefined> =>
        (
          await app.pool.query<{ posted: bigint }>(
            'SELECT l.posted FROM ledger_account l JOIN wallet w ON w.ledger_account_id = l.id WHERE w.id = $1',
            [carol.wallets.BTC],
          )
        ).rows[0]?.posted;
      await eventually(async () => (await posted()) === amountMsat);
      expect(await carol.sats()).toBe(sats);
    });

    it('needs an amount', async () => {
      const { invoice } = await create();
      expect(await fixture.simulator.payOutside(invoice.paymentRequest)).toEqual({ status: 'amount_required' });
    });

    it('is credited once', async () => {
      const carol = await fixture.user();
      const { invoice } = await create({}, { by: carol });
      const paid = await Promise.all(
        [100_000n, 200_000n, 100_000n].map((amountMsat) => fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat })),
      );
      expect(paid.map(({ status }) => status).sort()).toEqual(['already_paid', 'already_paid', 'paid']);
      await eventually(async () => (await carol.sats()) > 0);
      expect(await carol.sats()).toBe(paid[1]?.status === 'paid' ? 200 : 100);
    });

    it('is pushed, and in the history, with the amount and the type of the invoice everywhere', async () => {
      const carol = await fixture.user();
      const client = socketClient(app.url, carol.as('read'));
      const { invoice } = await create({ memo: 'tip', externalId: 'tip-1' }, { by: carol });
      const { paymentHash: hash, paymentRequest } = invoice;
      const statuses = new Subscribed<Status>(client, STATUS, { input: { paymentHash: hash } });
      expect(await statuses.next()).toEqual({ lnInvoicePaymentStatusByHash: { status: 'PENDING', paymentPreimage: null, errors: [] } });
      let updates: Subscribed<unknown> | undefined;
      await untilListening(app, 'transaction.changed', carol.accountId, () => (updates = new Subscribed(client, UPDATES)));

      await fixture.simulator.payOutside(paymentRequest, { amountMsat: 42_000n });
      expect(await updates?.next()).toEqual({
        myUpdates: { update: { __typename: 'LnUpdate', status: 'PAID', paymentHash: hash, transaction: { settlementAmount: 42 } } },
      });
      expect(await statuses.next()).toEqual({
        lnInvoicePaymentStatusByHash: { status: 'PAID', paymentPreimage: expect.stringMatching(/^[0-9a-f]{64}$/) as string, errors: [] },
      });
      await client.dispose();

      const node = { __typename: 'LnNoAmountInvoice', paymentHash: hash, paymentStatus: 'PAID' };
      const { defaultAccount } = (await dataOf(app.url, INVOICES, { hash, wallet: carol.wallets.BTC }, carol.as('read'))).me;
      expect(defaultAccount).toEqual({
        invoices: { edges: [{ node }] },
        walletById: { invoiceByPaymentHash: node, invoices: { edges: [{ node }] } },
      });
      const history = (await dataOf(app.url, HISTORY, { hash }, carol.as('read'))).me.defaultAccount.wallets[0];
      expect(history.transactionsByPaymentHash).toEqual([
        {
          direction: 'RECEIVE',
          status: 'SUCCESS',
          memo: 'tip',
          externalId: 'tip-1',
          settlementAmount: 42,
          settlementFee: 0,
          initiationVia: { paymentHash: hash, paymentRequest },
        },
      ]);
    });

    it('of a cancelled invoice is refused', async () => {
      const { invoice } = await create();
      const input = { walletId: alice.wallets.BTC, paymentHash: invoice.paymentHash as string };
      const { lnInvoiceCancel } = await dataOf(
        app.url,
        'mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success errors { code } } }',
        { input },
        alice.as('receive'),
      );
      expect(lnInvoiceCancel).toEqual({ success: true, errors: [] });
      expect(await fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat: 1_000n })).toEqual({ status: 'cancelled' });
    });
  });

  it('stands beside invoices with amounts in the lists, each with its type', async () => {
    const carol = await fixture.user();
    const withAmount = await carol.invoice(7);
    const { invoice } = await create({}, { by: carol });
    const { me } = await dataOf(app.url, `{ me { defaultAccount { invoices { edges { node { ${FIELDS} } } } } } }`, {}, carol.as('read'));
    expect(me.defaultAccount.invoices.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      { __typename: 'LnNoAmountInvoice', paymentHash: invoice.paymentHash as string, paymentStatus: 'PENDING' },
      { __typename: 'LnInvoice', paymentHash: withAmount.paymentHash, paymentStatus: 'PENDING', satoshis: 7 },
    ]);
  });

  it('has a page in the dashboard, without an amount, and with the one that arrived once it is paid', async () => {
    const carol = await fixture.user();
    const { invoice } = await create({ memo: 'tips' }, { by: carol });
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: carol.email, password: PASSWORD });
    const page = async (): Promise<string> => (await browser.get(`/dashboard/receive/${invoice.paymentHash as string}`)).text;
    expect(await page()).toContain('<h1>Receive any amount</h1>');
    await fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat: 4_321_000n });
    await eventually(async () => (await page()).includes('<h1>Received 4,321 sats</h1>'));
  });

  it('is EXPIRED once its time is over and the node has confirmed that', async () => {
    const { invoice } = await create();
    await new TimeTravel(app).invoice(invoice.paymentHash as string, 86_400);
    await eventually(async () => {
      const query = 'query ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status } }';
      const { lnInvoicePaymentStatusByHash } = await dataOf(app.url, query, { input: { paymentHash: invoice.paymentHash as string } });
      return lnInvoicePaymentStatusByHash.status === 'EXPIRED';
    });
  });
});
