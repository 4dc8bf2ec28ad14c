import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { Fixture, type Person, PASSWORD } from '../support/fixture.js';
import {
  createClient,
  MeDocument,
  UserUpdateLanguageDocument,
  type Client,
  OnRealtimePriceDocument,
  UserLogoutDocument,
} from '../../src/client/index.js';
import { WebSocket } from 'ws';
import { post } from '../support/http.js';
import { RegistrationService, UserService, type UserRegistration } from '../../src/access/user/index.js';

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ username: 'alice_w' }), await fixture.user({ username: 'bob_w' })];
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

describe('userUpdateUsername', () => {
  const UPDATE = `mutation ($username: Username!) {
    userUpdateUsername(input: { username: $username }) { errors { message code path } user { id username } } }`;

  const update = async (username: unknown): Promise<unknown> =>
    (await dataOf(app.url, UPDATE, { username }, alice.as('all'))).userUpdateUsername;
  const nameOf = async (person: Person): Promise<unknown> =>
    (await dataOf(app.url, '{ me { username } }', {}, person.as('read'))).me.username;
  const refusal = (message: string, code: string): object => ({
    errors: [{ message, code, path: ['input', 'username'] }],
    user: null,
  });

  it.each(['alice_w', 'ALICE_W'])('succeeds for the name that the caller has already: %s', async (username) => {
    expect(await update(username)).toEqual({ errors: [], user: { id: alice.userId, username: 'alice_w' } });
  });

  it.each([
    ['bob_w', 'Username is taken'],
    ['BOB_W', 'Username is taken'],
    ['admin', 'Username is reserved'],
    ['adm1n', 'Username is reserved'],
  ])('refuses %s and changes nothing: %s', async (username, message) => {
    expect(await update(username)).toEqual(refusal(message, 'USERNAME_ERROR'));
    expect([await nameOf(alice), await nameOf(bob)]).toEqual(['alice_w', 'bob_w']);
  });

  describe('changes the name', () => {
    let carol: Person;
    let old: string;
    const FIND =
      'query ($username: Username!) { accountDefaultWallet(username: $username) { id } userDefaultWalletId(username: $username) }';
    const rename = async (person: Person, username: string): Promise<unknown> =>
      (await dataOf(app.url, UPDATE, { username }, person.as('all'))).userUpdateUsername;
    const days = (count: number): Promise<unknown> =>
      app.pool.query('UPDATE app_user SET username_changed_at = username_changed_at - make_interval(days => $2) WHERE id = $1', [
        carol.userId,
        count,
      ]);
    const isAvailable = async (username: string): Promise<unknown> =>
      (await dataOf(app.url, 'query ($username: Username!) { usernameAvailable(username: $username) }', { username })).usernameAvailable;
    const register = (username: string, email = `${username}@other.test`): Promise<unknown> =>
      app.get(RegistrationService).register({ email, username, password: PASSWORD });

    beforeEach(async () => {
      carol = await fixture.user();
      old = carol.username;
      expect(await rename(carol, `${old}_new`)).toEqual({ errors: [], user: { id: carol.userId, username: `${old}_new` } });
    });

    it('once in 90 days, by the database’s clock', async () => {
      const soon = refusal('The username can be changed once in 90 days', 'USERNAME_ERROR');
      expect(await rename(carol, `${old}_2`)).toEqual(soon);
      expect(await rename(carol, old)).toEqual(soon);
      await days(89);
      expect(await rename(carol, `${old}_2`)).toEqual(soon);
      await days(1);
      expect(await rename(carol, `${old}_2`)).toMatchObject({ errors: [], user: { username: `${old}_2` } });
      // Back to a former name, which is then no former one.
      await days(90);
      expect(await rename(carol, old)).toMatchObject({ errors: [], user: { username: old } });
      await days(90);
      expect(await rename(carol, `${old}_new`)).toMatchObject({ errors: [], user: { username: `${old}_new` } });
    });

    it('and pays on under each former name: by the API, as a Lightning address, and on behalf', async () => {
      await days(90);
      await rename(carol, `${old}_2`);
      for (const username of [old, `${old}_new`, `${old}_2`, old.toUpperCase()]) {
        expect(await dataOf(app.url, FIND, { username })).toEqual({
          accountDefaultWallet: { id: carol.wallets.BTC },
          userDefaultWalletId: carol.wallets.BTC,
        });
        const offer = (await (await fetch(`${app.url}/.well-known/lnurlp/${username}`)).json()) as { callback: string; metadata: string };
        expect(offer.metadata).toContain(`${username.toLowerCase()}@`);
        const { pr } = (await (await fetch(`${offer.callback}?amount=1000`)).json()) as { pr: string };
        await fixture.fund(bob, 10);
        expect((await bob.pay(pr)).status).toBe('SUCCESS');
      }
      expect(await carol.sats()).toBe(4);
      // The history of the payer has the name of now.
      const { rows } = await app.pool.query(
        'SELECT DISTINCT counterparty_username AS name FROM transaction WHERE counterparty_wallet_id = $1',
        [carol.wallets.BTC],
      );
      expect(rows).toEqual([{ name: `${old}_2` }]);
    });

    it('attack: no other person gets a former name, by registration, by a change, or at the moment of the change', async () => {
      expect(await isAvailable(old)).toBe(false);
      expect(await register(old)).toMatchObject({ kind: 'username_taken' });
      // The answer is the same for an address that has an account.
      expect(await register(old, bob.email)).toMatchObject({ kind: 'username_taken' });
      expect(await update(old)).toEqual(refusal('Username is taken', 'USERNAME_ERROR'));
      await days(90);
      const [changed, registered, renamed] = await Promise.all([
        rename(carol, `${old}_3`),
        register(`${old}_new`),
        rename(bob, `${old}_new`),
      ]);
      expect(changed).toMatchObject({ errors: [] });
      expect(registered).toMatchObject({ kind: 'username_taken' });
      expect(renamed).toEqual(refusal('Username is taken', 'USERNAME_ERROR'));
      const { rows } = await app.pool.query('SELECT user_named($1) AS id', [`${old}_new`]);
      expect(rows).toEqual([{ id: carol.userId }]);
    });

    it('once under an idempotency key', async () => {
      await days(90);
      const headers = { ...carol.as('all'), 'x-idempotency-key': `rename-${old}` };
      const answers = [
        await dataOf(app.url, UPDATE, { username: `${old}_4` }, headers),
        await dataOf(app.url, UPDATE, { username: `${old}_4` }, headers),
      ];
      expect(answers[1]).toEqual(answers[0]);
      expect(await nameOf(carol)).toBe(`${old}_4`);
    });
  });

  it.each([
    '',
    'ab',
    '1alice',
    '3alice',
    '_alice',
    'bc1alice',
    'lnbc1alice',
    '+31612345678',
    '31415',
    'al ice',
    'a'.repeat(51),
    'ål_ice',
    7,
  ])('refuses %p by the rules of usernames', async (username) => {
    expect(await update(username)).toEqual(refusal('Invalid value for Username', 'INVALID_INPUT'));
  });

  it('shows the user only to a caller that may read', async () => {
    const { data, errors } = await graphql(app.url, UPDATE, { username: 'alice_w' }, alice.as('write'));
    expect(data).toEqual({ userUpdateUsername: { errors: [], user: null } });
    expect(errors).toMatchObject([{ path: ['userUpdateUsername', 'user'], extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }]);
  });
});

describe('userUpdateLanguage', () => {
  const clientOf = (apiKey: string): Client => createClient({ url: app.url, apiKey });
  const update = async (language: unknown, key = alice.keys.all): Promise<unknown> =>
    (await clientOf(key).request(UserUpdateLanguageDocument, { input: { language: language as string } })).userUpdateLanguage;
  const languageOf = async ({ keys }: Person): Promise<unknown> => (await clientOf(keys.read).request(MeDocument)).me?.language;

  it.each([
    ['en', 'en'],
    ['pt-br', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['DEFAULT', ''],
    ['es', 'es'],
    ['', ''],
  ])('stores "%s" as "%s", for this person only', async (language, stored) => {
    expect(await update(language)).toEqual({ errors: [], user: { language: stored } });
    expect(await languageOf(alice)).toBe(stored);
    expect(await languageOf(bob)).toBe('');
  });

  it.each(['qq', 'xyz', 'english', 'en_US', 'en-', '<b>', 7, ['en']])('refuses %p and changes nothing', async (language) => {
    await update('de');
    expect(await update(language)).toEqual({
      errors: [{ message: 'Invalid value for Language', code: 'INVALID_INPUT', path: ['input', 'language'] }],
      user: null,
    });
    expect(await languageOf(alice)).toBe('de');
  });

  it('works with write alone, which does not show the user', async () => {
    await expect(update('fr', alice.keys.write)).rejects.toMatchObject({
      kind: 'graphql',
      data: { userUpdateLanguage: { errors: [], user: null } },
      errors: [{ path: ['userUpdateLanguage', 'user'], extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }],
    });
    expect(await languageOf(alice)).toBe('fr');
  });
});

describe('accountUpdateDefaultWalletId', () => {
  const UPDATE = `mutation ($walletId: WalletId!) { accountUpdateDefaultWalletId(input: { walletId: $walletId }) {
    errors { message code path } account { id defaultWalletId defaultWallet { id currency } } } }`;

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

describe('userLogout', () => {
  const LOGOUT = 'mutation ($input: UserLogoutInput) { userLogout(input: $input) { success errors { message code path } } }';

  let session: CredentialHeaders;

  beforeEach(async () => {
    session = await fixture.session(alice);
  });

  const statusWith = async (credential: CredentialHeaders): Promise<number> =>
    (await post(`${app.url}/graphql`, { query: '{ me { id } }' }, credential)).status;

  it.each([
    ['without an input', undefined],
    ['with null', null],
    ['with a device token', { deviceToken: 'any' }],
  ])('ends the session that asks, at once, %s', async (_how, input) => {
    expect(await statusWith(session)).toBe(200);
    expect((await dataOf(app.url, LOGOUT, { input }, session)).userLogout).toEqual({ success: true, errors: [] });
    expect(await statusWith(session)).toBe(401);
  });

  it('closes the sockets of the session', async () => {
    const token = String(session.authorization).replace('Bearer ', '');
    const client = createClient({ url: app.url, session: token, webSocket: WebSocket });
    // An event proves that the socket is open.
    const prices = client.subscribe(OnRealtimePriceDocument, { input: {} });
    expect((await prices.next()).done).toBe(false);
    expect((await client.request(UserLogoutDocument)).userLogout.success).toBe(true);
    await expect(prices.next()).rejects.toMatchObject({ status: 4401 });
    client.close();
  });

  it('leaves the other sessions and the keys of the person', async () => {
    const other = await fixture.session(alice);
    await dataOf(app.url, LOGOUT, {}, session);
    expect(await statusWith(other)).toBe(200);
    expect(await statusWith(alice.as('read'))).toBe(200);
  });

  it.each([[{}], [{ deviceToken: null }], [{ deviceToken: 7 }], ['text']])('refuses the input %j and ends nothing', async (input) => {
    const { errors } = await graphql(app.url, LOGOUT, { input }, session);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await statusWith(session)).toBe(200);
  });
});

describe('queries of Blink’s own Dashboard', () => {
  /** Documents like those of Blink's own Dashboard: its first pages select all of this, and show nothing where one field is missing. */
  const PROFILE = `query me { me {
    id username phone language totpEnabled createdAt email { address verified }
    defaultAccount { id displayCurrency callbackPortalUrl defaultWalletId callbackEndpoints { id url }
      wallets { id walletCurrency balance }
      ... on ConsumerAccount { callbackPortalUrl callbackEndpoints { id url } } }
  } }`;
  const KEYS = `query ApiKeys { me { apiKeys { id name createdAt revoked expired lastUsedAt expiresAt readOnly scopes
    limits { dailyLimitSats weeklyLimitSats monthlyLimitSats annualLimitSats dailySpentSats weeklySpentSats monthlySpentSats annualSpentSats } } } }`;
  const MAKE = `mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKeySecret apiKey { id limits { dailyLimitSats dailySpentSats } } } }`;

  it('get the profile without phone, second factor, callback endpoints and portal', async () => {
    const { me } = await dataOf(app.url, PROFILE, {}, alice.as('read'));
    expect(me).toMatchObject({ id: alice.userId, phone: null, totpEnabled: false });
    expect(me.defaultAccount).toMatchObject({
      callbackPortalUrl: expect.stringMatching(/\/dashboard\/webhooks$/) as string,
      callbackEndpoints: [],
    });
  });

  it('get the keys, each without a limit and with nothing spent', async () => {
    const { me } = await dataOf(app.url, KEYS, {}, alice.as('read'));
    const unlimited = { dailyLimitSats: null, weeklyLimitSats: null, monthlyLimitSats: null, annualLimitSats: null };
    const unspent = { dailySpentSats: 0, weeklySpentSats: 0, monthlySpentSats: 0, annualSpentSats: 0 };
    expect(me.apiKeys.length).toBeGreaterThan(0);
    for (const key of me.apiKeys) expect(key.limits).toEqual({ ...unlimited, ...unspent });
  });

  it('create a key', async () => {
    const input = { name: 'a new one', scopes: ['READ'] };
    const { apiKeyCreate } = await dataOf(app.url, MAKE, { input }, await fixture.session(alice));
    expect(apiKeyCreate.apiKey.limits).toEqual({ dailyLimitSats: null, dailySpentSats: 0 });
  });
});

describe('registration', () => {
  const register = (change: Partial<UserRegistration>): ReturnType<RegistrationService['register']> =>
    app.get(RegistrationService).register({ email: 'carol@example.test', username: 'carol', password: PASSWORD, ...change });
  const people = async (): Promise<number> => (await app.pool.query('SELECT 1 FROM app_user')).rows.length;

  it('creates a usable account, with normalised names', async () => {
    expect(await register({ email: ' Dave@Example.TEST ', username: ' Dave ' })).toEqual({ kind: 'registered' });
    const dave = await app.get(UserService).findByEmail('DAVE@example.test');
    expect(dave).toMatchObject({ email: 'dave@example.test', username: 'dave', isOperator: false, emailVerifiedAt: null, language: '' });
    expect(await app.get(UserService).findByUsername('DAVE')).toEqual(dave);
    expect(await app.get(UserService).findById(dave?.id ?? '')).toEqual(dave);
    expect(Object.keys(dave ?? {})).not.toContain('passwordHash');
  });

  it('answers a known address like a new one, and changes nothing', async () => {
    const before = await people();
    expect(await register({ email: alice.email.toUpperCase(), username: 'new_name' })).toEqual({ kind: 'registered' });
    expect(await people()).toBe(before);
    expect(await app.get(UserService).findByEmail(alice.email)).toMatchObject({ id: alice.userId, username: 'alice_w' });
  });

  it('proposes two free names for one that is taken', async () => {
    const outcome = await register({ username: 'Alice_W' });
    if (outcome.kind !== 'username_taken') throw new Error(outcome.kind);
    const [one = '', other = ''] = outcome.proposals;
    expect(outcome.proposals).toHaveLength(2);
    for (const name of [one, other]) expect(await app.get(RegistrationService).usernameAvailable(name)).toBe(true);
  });

  it('reports every fault at once, and creates no user', async () => {
    const before = await people();
    const outcome = await register({ email: 'carol', username: 'alice_w', password: 'short' });
    expect(outcome).toMatchObject({ kind: 'invalid', faults: [{ field: 'email' }, { field: 'username' }, { field: 'password' }] });
    expect(await register({ username: '3carol' })).toMatchObject({ kind: 'invalid', faults: [{ field: 'username' }] });
    expect(await people()).toBe(before);
  });

  it.each(['admin', 'Support', ' postmaster ', 'Refund', 'pr1vacy', 'supp0rt_24'])(
    'refuses the reserved name "%s", which an operator can give',
    async (username) => {
      expect(await register({ username })).toEqual({ kind: 'invalid', faults: [{ field: 'username' }] });
      expect(await app.get(RegistrationService).usernameAvailable(username)).toBe(false);
      const made = await app
        .get(RegistrationService)
        .createUser({ email: `${username.trim()}@example.test`, username, password: PASSWORD });
      expect(made).toMatchObject({ kind: 'created', user: { username: username.trim().toLowerCase() } });
    },
  );

  it('gives a name to one of many simultaneous requests', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, i) => register({ email: `racer${i}@example.test`, username: 'racer' })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'registered')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'username_taken')).toHaveLength(5);
  });

  it('creates one user for an address in simultaneous requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => register({ email: 'once@example.test', username: `once${i}` })));
    expect(outcomes.every(({ kind }) => kind === 'registered')).toBe(true);
    expect((await app.pool.query(`SELECT 1 FROM app_user WHERE email = 'once@example.test'`)).rows).toHaveLength(1);
  });

  it('makes an existing user an operator', async () => {
    expect(await app.get(UserService).makeOperator(` ${alice.email.toUpperCase()}`)).toBe(true);
    expect(await app.get(UserService).makeOperator('unknown@example.test')).toBe(false);
    expect(await app.get(UserService).findById(alice.userId)).toMatchObject({ isOperator: true });
  });

  describe('usernameAvailable', () => {
    const available = (username: string): ReturnType<typeof graphql> =>
      graphql(app.url, 'query ($username: Username!) { usernameAvailable(username: $username) }', { username });

    it('reports to any caller whether a name is free', async () => {
      expect(await available('nobody_yet')).toEqual({ data: { usernameAvailable: true } });
      expect(await available('ALICE_W')).toEqual({ data: { usernameAvailable: false } });
      expect(await available('Webmaster')).toEqual({ data: { usernameAvailable: false } });
    });

    it('refuses invalid names', async () => {
      expect((await available('31415')).errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
    });
  });
});
