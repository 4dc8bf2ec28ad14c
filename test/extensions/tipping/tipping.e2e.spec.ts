import { createTestApp, dataOf, eventually, graphql, TestUser, type TestApp, type TestPage } from '../../../src/testing/index.js';
import { tipping } from './tipping.extension.js';

const TIPS = '{ tipsReceived { count sats } }';
const HISTORY = '{ me { defaultAccount { transactions(first: 10) { edges { node { memo direction isTip } } } } } }';

interface Tips {
  readonly tipsReceived: { readonly count: number; readonly sats: number };
}

interface History {
  readonly me: {
    readonly defaultAccount: { readonly transactions: { readonly edges: readonly { readonly node: Readonly<Record<string, unknown>> }[] } };
  };
}

describe('the tipping extension', () => {
  let app: TestApp;
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    app = await createTestApp({ extensions: [tipping()] });
    alice = await TestUser.create(app);
    bob = await TestUser.create(app, { sats: 1_000 });
  });
  afterEach(async () => expect(await app.audit()).toEqual([]));
  afterAll(() => app.close());

  const tipsOf = async (user: TestUser): Promise<Tips['tipsReceived']> =>
    (await dataOf<Tips>(app.url, TIPS, {}, await user.key('tipping:read'))).tipsReceived;

  it('counts a paid tip, and no other payment', async () => {
    await bob.pay(await alice.invoice(21, 'Tip: thank you'));
    await bob.pay(await alice.invoice(100, 'coffee'));
    await bob.pay(await alice.invoice(100, 'tipping point, a book'));
    await alice.fund(34, 'tip from far away');
    await eventually(async () => (await tipsOf(alice)).count >= 2);
    expect(await tipsOf(alice)).toEqual({ count: 2, sats: 55 });
    expect(await tipsOf(bob)).toEqual({ count: 0, sats: 0 });
  });

  it('marks tips in the recipient’s history', async () => {
    const { me } = await dataOf<History>(app.url, HISTORY, {}, await alice.key('read'));
    const tips = me.defaultAccount.transactions.edges.filter(({ node }) => node['isTip']);
    expect(tips.map(({ node }) => node['memo'])).toEqual(['tip from far away', 'Tip: thank you']);
    const sent = await dataOf<History>(app.url, HISTORY, {}, await bob.key('read'));
    expect(sent.me.defaultAccount.transactions.edges.filter(({ node }) => node['isTip'])).toEqual([]);
  });

  it('shows tips to credentials with its scope, and to no other', async () => {
    const { errors } = await graphql(app.url, TIPS, {}, await alice.key('read', 'receive', 'write'));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'tipping:read' });
    expect((await graphql(app.url, TIPS)).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_AUTHENTICATED' });
    const elsewhere = await graphql(app.url, '{ me { id } }', {}, await alice.key('tipping:read'));
    expect(elsewhere.errors?.[0]?.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'read' });
  });

  it('limits how often a person starts counting anew', async () => {
    const browser = await alice.signIn();
    const forget = async (): Promise<TestPage> => browser.submit(await browser.get('/tips'), '/tips/forget', { word: 'forget' });
    for (let i = 0; i < 10; i++) expect((await forget()).status).toBe(303);
    const { status, headers } = await forget();
    expect(status).toBe(429);
    expect(headers.get('ratelimit-policy')).toContain('"tipping.forget";q=10;w=3600');
    expect(headers.get('ratelimit')).toMatch(/"tipping\.forget";r=0;t=\d+/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
    const bobs = await bob.signIn();
    expect((await bobs.submit(await bobs.get('/tips'), '/tips/forget', { word: 'forget' })).status).toBe(303);
  });

  it('adds its scope to those that apps can request', async () => {
    const response = await fetch(`${app.url}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({ scopes_supported: expect.arrayContaining(['read', 'tipping:read']) as unknown });
  });
});
