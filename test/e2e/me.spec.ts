import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN_WALLET = '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f';

describe('me and public queries', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let session: CredentialHeaders;

  beforeAll(async () => {
    app = await createTestApp({ env: { SLUICE_COMMIT: 'abcdef1234', FIXED_PRICE_CENTS_PER_BTC: '6125000' } });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 5_000, username: 'alice_1' });
    bob = await fixture.user();
    session = await fixture.session(alice);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  describe('me', () => {
    it('returns the person, to every credential that can read', async () => {
      for (const credential of [alice.as('read'), alice.as('all'), session]) {
        const { me } = await dataOf(app.url, '{ me { id username language createdAt email { address verified } } }', {}, credential);
        expect(me).toEqual({
          id: alice.userId,
          username: 'alice_1',
          language: '',
          createdAt: expect.any(Number) as number,
          email: { address: alice.email, verified: false },
        });
        expect(Math.abs(me.createdAt - Date.now() / 1000)).toBeLessThan(120);
      }
    });

    it('returns the account with both wallets, bitcoin first, and their balances', async () => {
      const { me } = await dataOf(
        app.url,
        `{ me { defaultAccount { __typename id level displayCurrency defaultWalletId defaultWallet { id currency walletCurrency }
           wallets { __typename id accountId walletCurrency balance pendingIncomingBalance pendingIncomingTransactions { id } } pendingIncomingTransactions { id } } } }`,
        {},
        alice.as('read'),
      );
      const accountId = alice.accountId;
      expect(me.defaultAccount).toEqual({
        __typename: 'ConsumerAccount',
        id: accountId,
        level: 'ONE',
        displayCurrency: 'USD',
        defaultWalletId: alice.wallets.BTC,
        defaultWallet: { id: alice.wallets.BTC, currency: 'BTC', walletCurrency: 'BTC' },
        wallets: [
          {
            __typename: 'BTCWallet',
            id: alice.wallets.BTC,
            accountId,
            walletCurrency: 'BTC',
            balance: 5_000,
            pendingIncomingBalance: 0,
            pendingIncomingTransactions: [],
          },
          {
            __typename: 'UsdWallet',
            id: alice.wallets.USD,
            accountId,
            walletCurrency: 'USD',
            balance: 0,
            pendingIncomingBalance: 0,
            pendingIncomingTransactions: [],
          },
        ],
        pendingIncomingTransactions: [],
      });
      expect(accountId).toMatch(UUID);
      expect(new Set([accountId, alice.wallets.BTC, alice.wallets.USD, alice.userId]).size).toBe(4);
    });

    it('returns wallets in the same order for each account', async () => {
      const people = await Promise.all(Array.from({ length: 8 }, () => fixture.user()));
      for (const person of people) {
        const { me } = await dataOf(app.url, '{ me { defaultAccount { wallets { walletCurrency } } } }', {}, person.as('read'));
        expect(me.defaultAccount.wallets).toEqual([{ walletCurrency: 'BTC' }, { walletCurrency: 'USD' }]);
      }
    });

    it('merges fragments on both types of wallet and on the interface', async () => {
      const fields =
        'id balance transactions(first: 1) { edges { cursor } } invoices(first: 1) { edges { cursor } } transactionsByPaymentHash(paymentHash: $hash) { id }';
      const { me } = await dataOf(
        app.url,
        `query ($hash: PaymentHash!) { me { defaultAccount { wallets { ${fields} ... on BTCWallet { ${fields} } ... on UsdWallet { ${fields} } } } } }`,
        { hash: '00'.repeat(32) },
        alice.as('read'),
      );
      expect(me.defaultAccount.wallets).toHaveLength(2);
      expect(me.defaultAccount.wallets[1]).toMatchObject({ transactions: { edges: [] }, transactionsByPaymentHash: [] });
    });

    it.each([
      ['walletId: "%OWN"', 'own', undefined],
      ['walletId: "%UPPER"', 'own in capitals', undefined],
      ['walletId: "%BOBS"', "another user's", 'NOT_FOUND'],
      ['walletId: "%UNKNOWN"', 'unknown', 'NOT_FOUND'],
      ['walletId: "no uuid"', 'no id at all', 'INVALID_INPUT'],
    ])('walletById(%s): %s', async (argument, _whose, code) => {
      const filled = argument
        .replace('%OWN', alice.wallets.USD)
        .replace('%UPPER', alice.wallets.USD.toUpperCase())
        .replace('%BOBS', bob.wallets.BTC)
        .replace('%UNKNOWN', UNKNOWN_WALLET);
      const { data, errors } = await graphql(
        app.url,
        `{ me { defaultAccount { walletById(${filled}) { id walletCurrency } } } }`,
        {},
        alice.as('read'),
      );
      if (code === undefined)
        return expect(data).toEqual({ me: { defaultAccount: { walletById: { id: alice.wallets.USD, walletCurrency: 'USD' } } } });
      expect(data).toEqual({ me: null });
      expect(errors?.[0]).toMatchObject({ extensions: { code }, path: ['me', 'defaultAccount', 'walletById'] });
    });

    it('finds an invoice by its hash in its own wallet only', async () => {
      const invoice = await alice.invoice(12, 'twelve');
      const document = (walletId: string): string =>
        `{ me { defaultAccount { walletById(walletId: "${walletId}") { invoiceByPaymentHash(paymentHash: "${invoice.paymentHash.toUpperCase()}") {
           __typename paymentHash paymentRequest paymentSecret paymentStatus externalId createdAt ... on LnInvoice { satoshis } } } } } }`;
      const { me } = await dataOf(app.url, document(alice.wallets.BTC), {}, alice.as('read'));
      expect(me.defaultAccount.walletById.invoiceByPaymentHash).toEqual({
        __typename: 'LnInvoice',
        ...invoice,
        paymentSecret: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        paymentStatus: 'PENDING',
        externalId: invoice.paymentHash,
        createdAt: expect.any(Number) as number,
        satoshis: 12,
      });
      for (const [walletId, reader] of [
        [alice.wallets.USD, alice],
        [bob.wallets.BTC, bob],
      ] as const) {
        const { data, errors } = await graphql(app.url, document(walletId), {}, reader.as('read'));
        expect(data).toEqual({ me: null });
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
      }
    });

    it('subtracts payments in flight from the balance, and has no pending incoming transactions', async () => {
      const outside = await fixture.outside(1_000, { hold: true });
      const carol = await fixture.user({ sats: 2_000 });
      const sending = carol.pay(outside.paymentRequest);
      await eventually(async () => (await carol.sats()) === 990);
      await fixture.release(outside.paymentHash, 'rejected');
      expect(await sending).toMatchObject({ status: 'FAILURE' });
      expect(await carol.sats()).toBe(2_000);
    });
  });

  it('authorization returns the scopes of each credential', async () => {
    const scopesOf = async (credential: CredentialHeaders): Promise<unknown> =>
      (await dataOf(app.url, '{ authorization { scopes } }', {}, credential)).authorization.scopes;
    expect(await scopesOf(alice.as('read'))).toEqual(['READ']);
    expect(await scopesOf(alice.as('receive'))).toEqual(['RECEIVE']);
    expect(await scopesOf(alice.as('write'))).toEqual(['WRITE']);
    expect(await scopesOf(alice.as('all'))).toEqual(['READ', 'RECEIVE', 'WRITE']);
    expect(await scopesOf(session)).toEqual(['READ', 'RECEIVE', 'WRITE']);
    const { data, errors } = await graphql(app.url, '{ authorization { scopes } }');
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ message: 'Not authorized', extensions: { code: 'NOT_AUTHENTICATED' } }]);
  });

  describe('public queries', () => {
    it('globals', async () => {
      const { globals } = await dataOf(
        app.url,
        '{ globals { network nodesIds blockInfo { blockHash blockHeight } lightningAddressDomain lightningAddressDomainAliases buildInformation { commitHash helmRevision } } }',
      );
      expect(globals).toEqual({
        network: 'regtest',
        nodesIds: [expect.stringMatching(/^0[23][0-9a-f]{64}$/) as string],
        // The simulated node has no chain.
        blockInfo: null,
        lightningAddressDomain: new URL(app.url).host,
        lightningAddressDomainAliases: [],
        buildInformation: { commitHash: 'abcdef1234', helmRevision: null },
      });
    });

    it('realtimePrice, in cents and by default in dollars', async () => {
      const fields = `id timestamp denominatorCurrency denominatorCurrencyDetails { id name symbol flag fractionDigits }
        btcSatPrice { __typename base offset currencyUnit } usdCentPrice { __typename base offset currencyUnit }`;
      const { absent, explicit, empty, lower } = await dataOf(
        app.url,
        `query ($none: DisplayCurrency) { absent: realtimePrice { ${fields} } explicit: realtimePrice(currency: "USD") { ${fields} }
          empty: realtimePrice(currency: $none) { ${fields} } lower: realtimePrice(currency: "usd") { ${fields} } }`,
      );
      expect(absent).toEqual({
        id: 'USD',
        timestamp: expect.any(Number) as number,
        denominatorCurrency: 'USD',
        denominatorCurrencyDetails: { id: 'USD', name: 'US Dollar', symbol: '$', flag: '🇺🇸', fractionDigits: 2 },
        btcSatPrice: { __typename: 'PriceOfOneSatInMinorUnit', base: 61_250_000_000, offset: 12, currencyUnit: 'MINOR' },
        usdCentPrice: { __typename: 'PriceOfOneUsdCentInMinorUnit', base: 1_000_000, offset: 6, currencyUnit: 'MINOR' },
      });
      for (const same of [explicit, empty, lower]) expect({ ...same, timestamp: absent.timestamp }).toEqual(absent);
      expect(Math.abs(absent.timestamp - Date.now() / 1000)).toBeLessThan(300);
    });

    it('realtimePrice of the own account is in its display currency', async () => {
      const { me } = await dataOf(
        app.url,
        '{ me { defaultAccount { realtimePrice { id btcSatPrice { base offset } } } } }',
        {},
        alice.as('read'),
      );
      expect(me.defaultAccount.realtimePrice).toEqual({ id: 'USD', btcSatPrice: { base: 61_250_000_000, offset: 12 } });
    });

    it('currencyList has twenty currencies beside the dollar in a demo, with fixed prices', async () => {
      const { data } = await graphql(
        app.url,
        '{ currencyList { id fractionDigits } realtimePrice(currency: "JPY") { btcSatPrice { base offset } } }',
      );
      const list = data?.['currencyList'] as { id: string; fractionDigits: number }[];
      expect(list).toHaveLength(21);
      expect(
        list
          .filter(({ id }) => ['EUR', 'KES', 'ARS', 'NGN', 'JPY'].includes(id))
          .map(({ id, fractionDigits }) => `${id} ${fractionDigits}`)
          .sort(),
      ).toEqual(['ARS 2', 'EUR 2', 'JPY 0', 'KES 2', 'NGN 2']);
      // $61,250 a bitcoin, 151 yen a dollar.
      const { base, offset } = (data?.['realtimePrice'] as { btcSatPrice: { base: number; offset: number } }).btcSatPrice;
      expect(base / 10 ** offset).toBeCloseTo(0.0006125 * 151, 6);
    });

    it.each([['"XYZ"'], ['"SEK"'], ['"x"'], ['1'], ['""']])('realtimePrice(currency: %s) is refused', async (currency) => {
      const { data, errors } = await graphql(app.url, `{ realtimePrice(currency: ${currency}) { id } }`);
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
    });

    it.each([
      ['', 'BTC'],
      [', walletCurrency: BTC', 'BTC'],
      [', walletCurrency: USD', 'USD'],
      [', walletCurrency: null', 'BTC'],
    ] as const)('accountDefaultWallet(username%s) returns the wallet to pay into', async (argument, currency) => {
      for (const username of ['alice_1', 'ALICE_1']) {
        const { accountDefaultWallet } = await dataOf(
          app.url,
          `{ accountDefaultWallet(username: "${username}"${argument}) { __typename id currency walletCurrency } }`,
        );
        expect(accountDefaultWallet).toEqual({
          __typename: 'PublicWallet',
          id: alice.wallets[currency],
          currency,
          walletCurrency: currency,
        });
      }
    });

    it('accountDefaultWallet of an unknown username is an error with the name', async () => {
      const { data, errors } = await graphql(app.url, '{ accountDefaultWallet(username: "nobody_here") { id } }');
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ message: 'Account does not exist for username nobody_here', extensions: { code: 'NOT_FOUND' } }]);
    });

    it('userDefaultWalletId returns the wallet that the user has chosen', async () => {
      const idOf = (name: string): Promise<unknown> => dataOf(app.url, `{ userDefaultWalletId(username: "${name}") }`);
      expect(await idOf('ALICE_1')).toEqual({ userDefaultWalletId: alice.wallets.BTC });
      const choose =
        'mutation ($input: AccountUpdateDefaultWalletIdInput!) { accountUpdateDefaultWalletId(input: $input) { errors { code } } }';
      const chooseWallet = (walletId: string): Promise<unknown> => dataOf(app.url, choose, { input: { walletId } }, alice.as('write'));
      await chooseWallet(alice.wallets.USD);
      expect(await idOf('alice_1')).toEqual({ userDefaultWalletId: alice.wallets.USD });
      await chooseWallet(alice.wallets.BTC);
    });

    it('userDefaultWalletId refuses a username as accountDefaultWallet does', async () => {
      for (const username of ['nobody_here', 'a b c']) {
        const [id, wallet] = await Promise.all([
          graphql(app.url, `{ wallet: userDefaultWalletId(username: "${username}") }`),
          graphql(app.url, `{ wallet: accountDefaultWallet(username: "${username}") { id } }`),
        ]);
        expect(id.errors).toHaveLength(1);
        expect(id.errors).toEqual(wallet.errors);
        expect(id.data).toBeNull();
      }
    });

    it.each([
      ['"alice_1"', false],
      ['"Alice_1"', false],
      ['"free_name"', true],
    ])('usernameAvailable(%s) is %s', async (username, available) => {
      expect(await dataOf(app.url, `{ usernameAvailable(username: ${username}) }`)).toEqual({ usernameAvailable: available });
    });

    it.each([
      ['"ab"'],
      ['"_alice"'],
      ['"1alice"'],
      ['"bc1alice"'],
      ['"lnbc1x"'],
      ['"1234"'],
      [`"${'a'.repeat(51)}"`],
      ['"a b c"'],
      ['"ålice"'],
      ['7'],
      ['"nul\\u0000x"'],
    ])('usernameAvailable(%s) is refused: not a username', async (username) => {
      const { data, errors } = await graphql(app.url, `{ usernameAvailable(username: ${username}) }`);
      expect(data).toEqual({ usernameAvailable: null });
      expect(errors).toMatchObject([{ message: 'Invalid value for Username', extensions: { code: 'INVALID_INPUT' } }]);
    });
  });
});
