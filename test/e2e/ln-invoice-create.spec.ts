import { decodeInvoice, type Bolt11Invoice } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { untilListening } from '../support/event-probe.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';

const CREATED =
  'errors { __typename message code path } invoice { __typename paymentHash paymentRequest paymentSecret paymentStatus externalId externalIdByOwner createdAt';
const FIELDS = {
  lnInvoiceCreate: `mutation ($input: LnInvoiceCreateInput!) { made: lnInvoiceCreate(input: $input) { ${CREATED} satoshis } } }`,
  lnNoAmountInvoiceCreate: `mutation ($input: LnNoAmountInvoiceCreateInput!) { made: lnNoAmountInvoiceCreate(input: $input) { ${CREATED} } } }`,
} as const;
type Field = keyof typeof FIELDS;
const NODE = '__typename paymentHash paymentStatus ... on LnInvoice { satoshis }';
const INVOICES = `query ($wallet: WalletId!, $hash: PaymentHash!) { me { defaultAccount { invoices { edges { node { ${NODE} } } }
  walletById(walletId: $wallet) { invoiceByPaymentHash(paymentHash: $hash) { ${NODE} } invoices { edges { node { ${NODE} } } } } } } }`;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) {
  direction status memo externalId settlementAmount settlementFee initiationVia { ... on InitiationViaLn { paymentHash paymentRequest } } } } } } }`;
const STATUS =
  'subscription ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status paymentPreimage errors { code } } }';
const UPDATES =
  'subscription { myUpdates { update { __typename ... on LnUpdate { status paymentHash transaction { settlementAmount } } } } }';
const MAX_SATS = 10_000_000_000_000;
const HOURS = 3_600;
const UNKNOWN = '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f';

interface Status {
  readonly lnInvoicePaymentStatusByHash: { readonly status: string; readonly paymentPreimage: string | null };
}

describe('an invoice', () => {
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
    { field = 'lnInvoiceCreate', by = alice, headers = {} }: { field?: Field; by?: Person; headers?: object } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  ): Promise<any> => {
    const amount = field === 'lnInvoiceCreate' ? { amount: 1_000 } : {};
    const variables = { input: { walletId: by.wallets.BTC, ...amount, ...input } };
    return (await dataOf(app.url, FIELDS[field], variables, { ...by.as('receive'), ...headers })).made;
  };
  const withoutAmount = (by = alice, input = {}): ReturnType<typeof create> => create(input, { field: 'lnNoAmountInvoiceCreate', by });
  const read = (paymentRequest: string): Bolt11Invoice => {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) throw new Error(`Not an invoice: ${paymentRequest}`);
    return decoded.invoice;
  };
  const refusal = (message: string, path: readonly string[] | null, code = 'INVALID_INPUT'): object => ({
    invoice: null,
    errors: [{ __typename: 'GraphQLApplicationError', message, code, path }],
  });

  describe.each([
    ['lnInvoiceCreate', 'LnInvoice', 1_000_000n, 4 * HOURS],
    ['lnNoAmountInvoiceCreate', 'LnNoAmountInvoice', null, 2 * HOURS],
  ] as const)('of %s', (field, type, amountMsat, seconds) => {
    it('has what was asked for, and the same in its text', async () => {
      const { errors, invoice } = await create({ memo: 'Käse & Brot 🧀' }, { field });
      expect(errors).toEqual([]);
      expect(invoice).toEqual({
        __typename: type,
        paymentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        paymentRequest: expect.stringMatching(amountMsat === null ? /^lnbcrt1[a-z0-9]+$/ : /^lnbcrt10u1[a-z0-9]+$/) as string,
        paymentSecret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        paymentStatus: 'PENDING',
        externalId: invoice.paymentHash,
        externalIdByOwner: true,
        createdAt: expect.any(Number) as number,
        ...(amountMsat !== null && { satoshis: 1_000 }),
      });
      const { globals } = await dataOf(app.url, '{ globals { nodesIds } }');
      expect(read(invoice.paymentRequest)).toMatchObject({
        network: 'regtest',
        amountMsat,
        paymentHash: invoice.paymentHash,
        paymentSecret: invoice.paymentSecret,
        description: 'Käse & Brot 🧀',
        payeeNodeId: globals.nodesIds[0] as string,
      });
    });

    it.each([
      [undefined, seconds],
      [0, seconds],
      ['15', 15 * 60],
      [1_440, 24 * HOURS],
      [1_441, seconds],
      [Number.MAX_SAFE_INTEGER, seconds],
    ])('expires, for %j minutes, after %i seconds, also in the database', async (expiresIn, lasts) => {
      const { invoice } = await create({ expiresIn }, { field });
      const { createdAt, expiresAt } = read(invoice.paymentRequest);
      expect(expiresAt.getTime() - createdAt.getTime()).toBe(lasts * 1000);
      const { rows } = await app.pool.query<{ lasts: number }>(
        'SELECT extract(epoch FROM expires_at - created_at)::int AS lasts FROM invoice WHERE payment_hash = $1',
        [invoice.paymentHash],
      );
      expect(rows).toEqual([{ lasts }]);
    });

    it.each([
      [{ expiresIn: -1 }, 'Invalid value for Minutes', 'expiresIn'],
      [{ memo: 'é'.repeat(320) }, 'Memo is too long', 'memo'],
      [{ memo: 'a\0b' }, 'Invalid value for Memo', 'memo'],
      [{ externalId: 'A b' }, 'Invalid value for TxExternalId', 'externalId'],
      [{ walletId: 'wallet' }, 'Invalid value for WalletId', 'walletId'],
    ])('is refused for %j', async (input, message, argument) => {
      expect(await create(input, { field })).toEqual(refusal(message, ['input', argument]));
    });

    it('is for wallets of the account only', async () => {
      for (const walletId of [bob.wallets.BTC, UNKNOWN])
        expect(await create({ walletId }, { field })).toEqual(refusal('Wallet not found', ['input', 'walletId'], 'NOT_FOUND'));
      expect((await create({ walletId: alice.wallets.BTC.toUpperCase() }, { field })).errors).toEqual([]);
    });

    it('has an external id that is unique in the account, whatever the kind of invoice', async () => {
      const [externalId, other] = [
        `once-${field.toLowerCase()}`,
        field === 'lnInvoiceCreate' ? 'lnNoAmountInvoiceCreate' : 'lnInvoiceCreate',
      ] as const;
      const taken = refusal('An invoice with this externalId already exists', ['input', 'externalId']);
      expect(await create({ externalId }, { field })).toMatchObject({ errors: [], invoice: { externalId } });
      expect(await create({ externalId }, { field })).toEqual(taken);
      expect(await create({ externalId }, { field: other })).toEqual(taken);
      expect(await create({ externalId }, { field, by: bob })).toMatchObject({ errors: [] });
    });

    it('is not created while the node is unavailable, and none is stored that could be paid', async () => {
      const externalId = `away-${field.toLowerCase()}`;
      await fixture.simulator.setAway(true);
      expect(await create({ externalId }, { field })).toEqual(
        refusal('Invoices are temporarily unavailable. Please try again.', null, 'LND_OFFLINE'),
      );
      await fixture.simulator.setAway(false);
      expect((await create({ externalId }, { field })).errors).toEqual([]);
    });

    it('is a new one each time, and the same for a repeat under one idempotency key', async () => {
      const made = await Promise.all(Array.from({ length: 5 }, () => create({}, { field })));
      expect(new Set(made.map(({ invoice }) => invoice.paymentHash)).size).toBe(5);
      expect(new Set(made.map(({ invoice }) => invoice.paymentSecret)).size).toBe(5);
      const headers = { 'idempotency-key': `again-${field}` };
      expect(await create({}, { field, headers })).toEqual(await create({}, { field, headers }));
    });
  });

  it.each([
    [1, 1],
    ['2500', 2_500],
    [408_163.2653, 408_163],
    [MAX_SATS, MAX_SATS],
  ])('of the amount %j is of %i sats', async (amount, satoshis) => {
    const { errors, invoice } = await create({ amount });
    expect(errors).toEqual([]);
    expect(invoice.satoshis).toBe(satoshis);
    expect(read(invoice.paymentRequest).amountMsat).toBe(BigInt(satoshis) * 1000n);
  });

  it.each([
    [0, 'A valid satoshi amount is required'],
    [0.99, 'A valid satoshi amount is required'],
    ['1.5', 'Invalid value for SatAmount'],
    [MAX_SATS + 1, 'Value too big for SatAmount'],
  ])('of the amount %j is refused: %s', async (amount, message) => {
    expect(await create({ amount })).toEqual(refusal(message, ['input', 'amount']));
  });

  it.each([
    ['5', 5],
    ['"5"', undefined],
    ['5.5', 5],
    ['0.5', undefined],
  ])('of the amount %s as a literal in the document', async (literal, satoshis) => {
    const document = `mutation { lnInvoiceCreate(input: { walletId: "${alice.wallets.BTC}", amount: ${literal} }) { errors { code path } invoice { satoshis } } }`;
    const { lnInvoiceCreate } = await dataOf(app.url, document, {}, alice.as('receive'));
    expect(lnInvoiceCreate).toEqual(
      satoshis === undefined
        ? { invoice: null, errors: [{ code: 'INVALID_INPUT', path: ['input', 'amount'] }] }
        : { invoice: { satoshis }, errors: [] },
    );
  });

  it.each([
    ['null', null],
    ['639 bytes of three-byte letters', '語'.repeat(213)],
    ['quotes and new lines', `"'\\\n\t$1; DROP TABLE invoice; --`],
  ])('has a memo of %s', async (_what, memo) => {
    const { errors, invoice } = await create({ memo });
    expect(errors).toEqual([]);
    expect(read(invoice.paymentRequest).description ?? '').toBe(memo ?? '');
  });

  it('has a unique external id when requested simultaneously, too, and only the stored invoice can be paid', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create({ externalId: 'at-once' })));
    expect(made.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
    const { rows } = await app.pool.query(
      `SELECT 1 FROM simulator.invoice s LEFT JOIN invoice i USING (payment_hash) JOIN simulator.node n ON n.name = s.payee WHERE s.payee = 'ours' AND i.payment_hash IS NULL AND s.state = 'open'`,
    );
    expect(rows).toEqual([]);
  });

  it('of an amount is refused for a wallet in dollars', async () => {
    expect(await create({ walletId: alice.wallets.USD })).toEqual(
      refusal("Unsupported operation for wallet's currency.", ['input', 'walletId']),
    );
  });

  it('is refused with every fault at once', async () => {
    const { errors } = await create({ walletId: 'x', amount: -1, memo: 'a'.repeat(700), expiresIn: -1, externalId: 'A' });
    expect(errors.map(({ path }: { path: string[] }) => path.join('.')).sort()).toEqual([
      'input.amount',
      'input.expiresIn',
      'input.externalId',
      'input.memo',
      'input.walletId',
    ]);
  });

  it('of an amount credits the amount that arrives', async () => {
    const carol = await fixture.user();
    const { paymentRequest } = await carol.invoice(1_000);
    await fixture.simulator.payOutside(paymentRequest, { amountMsat: 1_500_999n });
    await eventually(async () => (await carol.sats()) === 1_500);
  });

  describe('the list of invoices', () => {
    let carol: Person;
    let hashes: string[];

    beforeAll(async () => {
      carol = await fixture.user();
      hashes = [];
      for (let i = 1; i <= 7; i++) hashes.unshift((await carol.invoice(i)).paymentHash);
    });

    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
    const list = async (args: string, whose: 'account' | 'wallet' = 'wallet'): Promise<any> => {
      const field = `found: invoices${args} { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { __typename paymentHash paymentStatus ... on LnInvoice { satoshis } } } }`;
      const { me } = await dataOf(app.url, `{ me { defaultAccount { ${field} wallets { ${field} } } } }`, {}, carol.as('read'));
      return whose === 'account' ? me.defaultAccount.found : me.defaultAccount.wallets[0].found;
    };
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
    const hashesOf = ({ edges }: any): string[] => edges.map(({ node }: { node: { paymentHash: string } }) => node.paymentHash);

    it.each(['account', 'wallet'] as const)('of the %s is newest first, page by page', async (whose) => {
      expect(hashesOf(await list('', whose))).toEqual(hashes);
      const first = await list('(first: 3)', whose);
      expect(hashesOf(first)).toEqual(hashes.slice(0, 3));
      expect(first.pageInfo).toEqual({
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: first.edges[0].cursor,
        endCursor: first.edges[2].cursor,
      });
      const second = await list(`(first: 3, after: "${first.pageInfo.endCursor}")`, whose);
      expect(hashesOf(second)).toEqual(hashes.slice(3, 6));
      const third = await list(`(first: 3, after: "${second.pageInfo.endCursor}")`, whose);
      expect(hashesOf(third)).toEqual(hashes.slice(6));
      expect(third.pageInfo.hasNextPage).toBe(false);
      expect(hashesOf(await list('(last: 2)', whose))).toEqual(hashes.slice(-2));
      expect(hashesOf(await list(`(last: 2, before: "${third.pageInfo.startCursor}")`, whose))).toEqual(hashes.slice(4, 6));
    });

    it('of the dollar wallet is empty, and other accounts are refused', async () => {
      const of = (walletId: string): Promise<unknown> =>
        graphql(
          app.url,
          'query ($ids: [WalletId]) { me { defaultAccount { invoices(walletIds: $ids) { edges { cursor } } } } }',
          { ids: [walletId] },
          carol.as('read'),
        );
      expect(await of(carol.wallets.USD)).toEqual({ data: { me: { defaultAccount: { invoices: { edges: [] } } } } });
      expect(await of(alice.wallets.BTC)).toMatchObject({ errors: [{ extensions: { code: 'INVALID_INPUT' } }] });
    });
  });

  describe('without an amount, paid from outside', () => {
    it.each([
      [1_000n, 1],
      [21_000_999n, 21_000],
      [999n, 0],
    ])('of %i msat credits what arrived: %i sats', async (amountMsat, sats) => {
      const carol = await fixture.user();
      const { invoice } = await withoutAmount(carol);
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
      const { invoice } = await withoutAmount();
      expect(await fixture.simulator.payOutside(invoice.paymentRequest)).toEqual({ status: 'amount_required' });
    });

    it('is credited once', async () => {
      const carol = await fixture.user();
      const { invoice } = await withoutAmount(carol);
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
      const { invoice } = await withoutAmount(carol, { memo: 'tip', externalId: 'tip-1' });
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
  });

  it('without an amount stands beside those with amounts in the lists, each with its type', async () => {
    const carol = await fixture.user();
    const withAmount = await carol.invoice(7);
    const { invoice } = await withoutAmount(carol);
    const { me } = await dataOf(app.url, `{ me { defaultAccount { invoices { edges { node { ${NODE} } } } } } }`, {}, carol.as('read'));
    expect(me.defaultAccount.invoices.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      { __typename: 'LnNoAmountInvoice', paymentHash: invoice.paymentHash as string, paymentStatus: 'PENDING' },
      { __typename: 'LnInvoice', paymentHash: withAmount.paymentHash, paymentStatus: 'PENDING', satoshis: 7 },
    ]);
  });

  it('without an amount has a page in the dashboard, and with the one that arrived once it is paid', async () => {
    const carol = await fixture.user();
    const { invoice } = await withoutAmount(carol, { memo: 'tips' });
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: carol.email, password: PASSWORD });
    const page = async (): Promise<string> => (await browser.get(`/dashboard/receive/${invoice.paymentHash as string}`)).text;
    expect(await page()).toContain('<h1>Receive any amount</h1>');
    await fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat: 4_321_000n });
    await eventually(async () => (await page()).includes('<h1>Received 4,321 sats</h1>'));
  });
});
