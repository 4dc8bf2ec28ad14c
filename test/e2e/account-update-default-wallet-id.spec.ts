import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const UPDATE = `mutation ($walletId: WalletId!) { accountUpdateDefaultWalletId(input: { walletId: $walletId }) {
  errors { message code path } account { id defaultWalletId defaultWallet { id currency } } } }`;

describe('accountUpdateDefaultWalletId', () => {
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

  const update = async (walletId: unknown): Promise<unknown> =>
    (await dataOf(app.url, UPDATE, { walletId }, alice.as('all'))).accountUpdateDefaultWalletId;
  const publicDefault = async ({ username }: Person): Promise<unknown> =>
    (await dataOf(app.url, `{ accountDefaultWallet(username: "${username}") { id currency } }`)).accountDefaultWallet;

  it('chooses another wallet of the caller, which others then find', async () => {
    for (const currency of ['USD', 'BTC'] as const) {
      const id = alice.wallets[currency];
      expect(await update(id.toUpperCase())).toEqual({
        errors: [],
        account: { id: alice.accountId, defaultWalletId: id, defaultWallet: { id, currency } },
      });
      expect(await publicDefault(alice)).toEqual({ id, currency });
      expect(await publicDefault(bob)).toEqual({ id: bob.wallets.BTC, currency: 'BTC' });
    }
  });

  it('leaves the Lightning address paying into the bitcoin wallet', async () => {
    await update(alice.wallets.USD);
    const { callback } = (await (await fetch(`${app.url}/.well-known/lnurlp/${alice.username}`)).json()) as { callback: string };
    const { pathname } = new URL(callback);
    const { pr } = (await (await fetch(`${app.url}${pathname}?amount=5000`)).json()) as { pr: string };
    const { me } = await dataOf(
      app.url,
      `{ me { defaultAccount { walletById(walletId: "${alice.wallets.BTC}") { invoices { edges { node { paymentRequest } } } } } } }`,
      {},
      alice.as('read'),
    );
    expect(me.defaultAccount.walletById.invoices.edges).toMatchObject([{ node: { paymentRequest: pr } }]);
    await update(alice.wallets.BTC);
  });

  it('refuses a wallet of another account and one that does not exist alike', async () => {
    for (const walletId of [bob.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
      expect(await update(walletId)).toEqual({
        errors: [{ message: 'Wallet not found', code: 'NOT_FOUND', path: ['input', 'walletId'] }],
        account: null,
      });
    expect(await publicDefault(alice)).toEqual({ id: alice.wallets.BTC, currency: 'BTC' });
  });

  it('refuses a malformed id', async () => {
    expect(await update('x')).toEqual({
      errors: [{ message: 'Invalid value for WalletId', code: 'INVALID_INPUT', path: ['input', 'walletId'] }],
      account: null,
    });
  });

  it('shows the account only to a caller that may read', async () => {
    const { data, errors } = await graphql(app.url, UPDATE, { walletId: alice.wallets.BTC }, alice.as('write'));
    expect(data).toEqual({ accountUpdateDefaultWalletId: { errors: [], account: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }]);
  });
});
