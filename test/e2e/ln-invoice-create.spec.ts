import { decodeInvoice, type Bolt11Invoice } from '../../src/money/lightning/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const CREATE = `mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { __typename message code path }
  invoice { __typename paymentHash paymentRequest paymentSecret paymentStatus externalId createdAt satoshis } } }`;
const MAX_SATS = 10_000_000_000_000;
const HOURS = 3_600;

describe('lnInvoiceCreate', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const create = async (input: Record<string, unknown>, key: 'receive' | 'write' | 'all' = 'receive'): Promise<any> => {
    const { lnInvoiceCreate } = await dataOf(
      app.url,
      CREATE,
      { input: { walletId: alice.wallets.BTC, amount: 1_000, ...input } },
      alice.as(key),
    );
    return lnInvoiceCreate;
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
    const { errors, invoice } = await create({ memo: 'Käse & Brot 🧀' }, key);
    expect(errors).toEqual([]);
    expect(invoice).toEqual({
      __typename: 'LnInvoice',
      paymentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      paymentRequest: expect.stringMatching(/^lnbcrt10u1[a-z0-9]+$/) as string,
      paymentSecret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      paymentStatus: 'PENDING',
      externalId: invoice.paymentHash,
      createdAt: expect.any(Number) as number,
      satoshis: 1_000,
    });
    const { globals } = await dataOf(app.url, '{ globals { nodesIds } }');
    expect(read(invoice.paymentRequest)).toMatchObject({
      network: 'regtest',
      amountMsat: 1_000_000n,
      paymentHash: invoice.paymentHash,
      paymentSecret: invoice.paymentSecret,
      description: 'Käse & Brot 🧀',
      payeeNodeId: globals.nodesIds[0] as string,
    });
  });

  it('creates a new one each time, for the same input', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({})));
    expect(new Set(made.map(({ invoice }) => invoice.paymentHash)).size).toBe(20);
    expect(new Set(made.map(({ invoice }) => invoice.paymentSecret)).size).toBe(20);
  });

  describe('expiry, in minutes', () => {
    it.each([
      [undefined, 4 * HOURS],
      [null, 4 * HOURS],
      [0, 4 * HOURS],
      [1, 60],
      ['15', 15 * 60],
      [1_440, 24 * HOURS],
      [1_441, 4 * HOURS],
      [Number.MAX_SAFE_INTEGER, 4 * HOURS],
      ['1441', 4 * HOURS],
    ])('%j is %i seconds, in the invoice and in the database', async (expiresIn, seconds) => {
      const { invoice } = await create({ expiresIn });
      const { createdAt, expiresAt } = read(invoice.paymentRequest);
      expect(expiresAt.getTime() - createdAt.getTime()).toBe(seconds * 1000);
      const { rows } = await app.pool.query<{ lasts: number }>(
        'SELECT extract(epoch FROM expires_at - created_at)::int AS lasts FROM invoice WHERE payment_hash = $1',
        [invoice.paymentHash],
      );
      expect(rows).toEqual([{ lasts: seconds }]);
    });

    it.each([[-1], [1.5], ['soon'], [true], [''], [[]], [{}]])('refuses %j', async (expiresIn) => {
      expect(await create({ expiresIn })).toEqual(refusal('Invalid value for Minutes', ['input', 'expiresIn']));
    });
  });

  describe('amounts', () => {
    it.each([
      [1, 1],
      ['1', 1],
      ['2500', 2_500],
      [7.0, 7],
      ['7.0', 7],
      [MAX_SATS, MAX_SATS],
      [String(MAX_SATS), MAX_SATS],
      ['0000000012', 12],
    ])('%j is %i sats', async (amount, satoshis) => {
      const { errors, invoice } = await create({ amount });
      expect(errors).toEqual([]);
      expect(invoice.satoshis).toBe(satoshis);
      expect(read(invoice.paymentRequest).amountMsat).toBe(BigInt(satoshis) * 1000n);
    });

    it.each([[0], ['0'], [0.0], ['0.0']])('refuses %j as no amount', async (amount) => {
      expect(await create({ amount })).toEqual(refusal('A valid satoshi amount is required', ['input', 'amount']));
    });

    it.each([
      [-1, 'Invalid value for SatAmount'],
      ['-1', 'Invalid value for SatAmount'],
      [-0.5, 'Invalid value for SatAmount'],
      [0.99, 'Invalid value for SatAmount'],
      [1.9, 'Invalid value for SatAmount'],
      ['1.9', 'Invalid value for SatAmount'],
      [1_000.000001, 'Invalid value for SatAmount'],
      [MAX_SATS + 1, 'Value too big for SatAmount'],
      ['99999999999999999999999999999999', 'Value too big for SatAmount'],
      [1e300, 'Value too big for SatAmount'],
      ['1e3', 'Invalid value for SatAmount'],
      ['0x10', 'Invalid value for SatAmount'],
      ['NaN', 'Invalid value for SatAmount'],
      ['Infinity', 'Invalid value for SatAmount'],
      [' 1', 'Invalid value for SatAmount'],
      ['１', 'Invalid value for SatAmount'],
      ['', 'Invalid value for SatAmount'],
      [true, 'Invalid value for SatAmount'],
      [[1], 'Invalid value for SatAmount'],
      [{ sats: 1 }, 'Invalid value for SatAmount'],
    ])('%j is refused: %s', async (amount, message) => {
      expect(await create({ amount })).toEqual(refusal(message, ['input', 'amount']));
    });

    it.each([
      ['5', 5],
      ['"5"', undefined],
      ['5.5', undefined],
      ['5.0', 5],
      ['-5', undefined],
      ['FIVE', undefined],
    ])('as a literal in the document: %s', async (literal, satoshis) => {
      const document = `mutation { lnInvoiceCreate(input: { walletId: "${alice.wallets.BTC}", amount: ${literal} }) { errors { code path } invoice { satoshis } } }`;
      const { lnInvoiceCreate } = await dataOf(app.url, document, {}, alice.as('receive'));
      expect(lnInvoiceCreate).toEqual(
        satoshis === undefined
          ? { invoice: null, errors: [{ code: 'INVALID_INPUT', path: ['input', 'amount'] }] }
          : { invoice: { satoshis }, errors: [] },
      );
    });
  });

  describe('memos', () => {
    it.each([
      ['nothing', ''],
      ['null', null],
      ['639 bytes of ASCII', 'a'.repeat(639)],
      ['639 bytes of three-byte letters', '語'.repeat(213)],
      ['636 bytes of emoji', '🧀'.repeat(159)],
      ['quotes and new lines', `"'\\\n\t$1; DROP TABLE invoice; --`],
    ])('of %s', async (_what, memo) => {
      const { errors, invoice } = await create({ memo });
      expect(errors).toEqual([]);
      expect(read(invoice.paymentRequest).description ?? '').toBe(memo ?? '');
    });

    it.each([
      ['640 bytes', 'a'.repeat(640), 'Memo is too long'],
      ['640 bytes, fewer characters', `${'é'.repeat(319)}ab`, 'Memo is too long'],
      ['a NUL', 'a\0b', 'Invalid value for Memo'],
      ['half a character', 'a\ud83e', 'Invalid value for Memo'],
      ['a number', 12, 'Invalid value for Memo'],
      ['a list', ['a'], 'Invalid value for Memo'],
    ])('of %s are refused', async (_what, memo, message) => {
      expect(await create({ memo })).toEqual(refusal(message, ['input', 'memo']));
    });
  });

  describe('external ids', () => {
    it.each([['order-1'], ['a'], ['_-_'], ['0'.repeat(100)]])('accepts %s', async (externalId) => {
      expect((await create({ externalId })).invoice.externalId).toBe(externalId);
    });

    it.each([[''], ['Order'], ['a b'], ['a'.repeat(101)], ['ä'], ['a\0'], [5]])('refuses %j', async (externalId) => {
      expect(await create({ externalId })).toEqual(refusal('Invalid value for TxExternalId', ['input', 'externalId']));
    });

    it('are unique in an account, and independent of other accounts', async () => {
      expect((await create({ externalId: 'twice' })).errors).toEqual([]);
      expect(await create({ externalId: 'twice' })).toEqual(
        refusal('An invoice with this externalId already exists', ['input', 'externalId']),
      );
      expect(await bob.invoice(1, undefined, { externalId: 'twice' })).toMatchObject({ paymentRequest: expect.any(String) as string });
    });

    it('are unique when requested simultaneously, too, and only the stored invoice can be paid', async () => {
      const made = await Promise.all(Array.from({ length: 10 }, () => create({ externalId: 'at-once' })));
      expect(made.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
      const { rows } = await app.pool.query(
        `SELECT 1 FROM simulator.invoice s LEFT JOIN invoice i USING (payment_hash) JOIN simulator.node n ON n.name = s.payee WHERE s.payee = 'ours' AND i.payment_hash IS NULL AND s.state = 'open'`,
      );
      expect(rows).toEqual([]);
    });
  });

  describe('wallets', () => {
    it.each([
      ["another user's", () => bob.wallets.BTC, refusal('Wallet not found', ['input', 'walletId'], 'NOT_FOUND')],
      ['an unknown one', () => '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f', refusal('Wallet not found', ['input', 'walletId'], 'NOT_FOUND')],
      ['of dollars', () => alice.wallets.USD, refusal("Unsupported operation for wallet's currency.", ['input', 'walletId'])],
      ['that is no id', () => 'wallet', refusal('Invalid value for WalletId', ['input', 'walletId'])],
    ])('%s', async (_whose, walletId, expected) => {
      expect(await create({ walletId: walletId() })).toEqual(expected);
    });

    it('accept the wallet’s id in capitals', async () => {
      expect((await create({ walletId: alice.wallets.BTC.toUpperCase() })).errors).toEqual([]);
    });
  });

  it('reports every fault at once', async () => {
    const { errors } = await create({ walletId: 'x', amount: -1, memo: 'a'.repeat(700), expiresIn: -1, externalId: 'A' });
    expect(errors.map(({ path }: { path: string[] }) => path.join('.')).sort()).toEqual([
      'input.amount',
      'input.expiresIn',
      'input.externalId',
      'input.memo',
      'input.walletId',
    ]);
  });

  it('treats null as absent', async () => {
    for (const input of [{ memo: null, expiresIn: null, externalId: null }, {}]) expect((await create(input)).errors).toEqual([]);
  });

  it('requires receive or write', async () => {
    const { data, errors } = await graphql(app.url, CREATE, { input: { walletId: alice.wallets.BTC, amount: 1 } }, alice.as('read'));
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { message: 'not authorized to execute mutations', extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'receive write' } },
    ]);
  });

  it('fails while the node is unavailable, and stores no invoice that could be paid', async () => {
    await fixture.simulator.setAway(true);
    expect(await create({ externalId: 'away' })).toEqual(
      refusal('Invoices are temporarily unavailable. Please try again.', null, 'LND_OFFLINE'),
    );
    await fixture.simulator.setAway(false);
    expect((await create({ externalId: 'away' })).errors).toEqual([]);
  });

  it('credits an outside payment with the received amount', async () => {
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
});
