import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

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

describe('queries of Blink’s own Dashboard', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 100 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

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
