import { BrowserSession } from '../support/browser-session.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { dataOf, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { WalletClient } from '../support/wallet-client.js';
import { atOnce, said, tally, TwoInstances, type Sent } from './two-instances.js';

const CREATE = 'mutation { apiKeyCreate(input: { name: "shop", scopes: [READ, WRITE, RECEIVE] }) { apiKeySecret apiKey { id } } }';
const SET = 'mutation ($input: ApiKeySetLimitInput!) { apiKeySetLimit(input: $input) { apiKey { id } } }';
const SPENT = '{ me { apiKeys { id limits { dailySpentSats } } } }';
const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }';
const BUDGET = '{ authorization { budget { window limit spent left freeAt } } }';
/** A bound is never less than what it bounds. */
const TOO_LOW = `SELECT b.owner, b.part, b.msat, s.msat AS spent FROM spending_bound b, budget_spent(b.owner, now(), '8760 hours') s
                  WHERE s.part = b.part AND b.msat < s.msat
                 UNION ALL SELECT b.owner, b.part, b.msat, s.msat FROM spending_bound b, account a, account_spent(a.id, now()) s
                  WHERE a.id::text = b.owner AND s.flow = b.part AND b.msat < s.msat`;

describe('payments at once over two processes', () => {
  let instances: TwoInstances;

  beforeAll(async () => {
    instances = await TwoInstances.start();
  });
  afterEach(async () => {
    const { rows } = await instances.one.pool.query(TOO_LOW);
    expect(rows).toEqual([]);
    expect(await violationsAtRest(instances.one.pool)).toEqual({});
    await instances.fixture.expectBalanced();
  });
  afterAll(async () => {
    const deadlocks = await instances.deadlocks();
    await instances.close();
    expect(deadlocks).toBe(0);
  });

  const budgeted = async (session: CredentialHeaders, limitSats: number): Promise<{ id: string; as: CredentialHeaders }> => {
    const { apiKeyCreate: made } = await dataOf(instances.one.url, CREATE, {}, session);
    const id = made.apiKey.id as string;
    for (const limitTimeWindow of ['DAILY', 'ANNUAL'])
      await dataOf(instances.one.url, SET, { input: { id, limitTimeWindow, limitSats } }, session);
    return { id, as: { 'x-api-key': made.apiKeySecret as string } };
  };
  const spentBy = async (id: string, session: CredentialHeaders): Promise<number | undefined> => {
    const keys = (await dataOf(instances.one.url, SPENT, {}, session)).me.apiKeys as { id: string; limits: { dailySpentSats: number } }[];
    return keys.find((key) => key.id === id)?.limits.dailySpentSats;
  };

  it('spend exactly the budget of their key, from wallet to wallet', async () => {
    const alice = await instances.fixture.user({ sats: 100_000 });
    const bob = await instances.fixture.user();
    const session = await instances.fixture.session(alice);
    const { id, as } = await budgeted(session, 2_000);
    const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 100 };
    const answers = await atOnce(70, async (n) =>
      said((await dataOf(instances.url(n), SEND, { input }, as)).intraLedgerPaymentSend as Sent),
    );
    expect(tally(answers)).toEqual({ SUCCESS: 20, TRANSACTION_RESTRICTED: 50 });
    expect([await alice.sats(), await bob.sats(), await spentBy(id, session)]).toEqual([98_000, 2_000, 2_000]);
  });

  it('spend exactly what was granted to their app, by several of its grants and by keys that it has made', async () => {
    const alice = await instances.fixture.user({ sats: 100_000 });
    const bob = await instances.fixture.user();
    const till = await newOAuthApp(instances.one, { trusted: true });
    const browser = new BrowserSession(instances.one.url);
    const budgets = ['day', 'year'].map((period) => ({ type: 'wallet_budget', currency: 'SAT', max_amount: 2_000, period }));
    const asked = { scope: 'read write', authorization_details: JSON.stringify(budgets) };
    const credentials: CredentialHeaders[] = [];
    for (let n = 0; n < 4; n += 1) {
      const token = { 'oauth2-token': (await till.connect(alice, asked, browser)).access_token };
      const { apiKeyCreate: made } = await dataOf(instances.one.url, CREATE, {}, token);
      credentials.push(token, { 'x-api-key': made.apiKeySecret as string });
    }
    const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 100 };
    const answers = await atOnce(200, async (n) =>
      said((await dataOf(instances.url(n), SEND, { input }, credentials[(n >> 1) % 8] ?? {})).intraLedgerPaymentSend as Sent),
    );
    expect(tally(answers)).toEqual({ SUCCESS: 20, TRANSACTION_RESTRICTED: 180 });
    expect([await alice.sats(), await bob.sats()]).toEqual([98_000, 2_000]);
    const spent = ['DAILY', 'ANNUAL'].map((window) => ({
      window,
      limit: 2_000,
      spent: 2_000,
      left: 0,
      freeAt: expect.any(Number) as number,
    }));
    for (const by of credentials) expect((await dataOf(instances.two.url, BUDGET, {}, by)).authorization.budget).toEqual(spent);
  });

  it('of two keys, to wallets, to invoices of this server and to the outside, never exceed the budgets', async () => {
    const alice = await instances.fixture.user({ sats: 100_000 });
    const bob = await instances.fixture.user();
    const session = await instances.fixture.session(alice);
    const keys = [await budgeted(session, 900), await budgeted(session, 1_200)] as const;
    const requests = await atOnce(60, (n) => (n % 2 === 0 ? bob.invoice(90) : instances.fixture.outside(80, { routeFeeMsat: 1_000n })));
    const answers = await atOnce(90, async (n) => {
      const { as } = keys[n % 2 === 0 ? 0 : 1];
      const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 100 };
      const request = requests[n]?.paymentRequest;
      if (request === undefined) return said((await dataOf(instances.url(n >> 1), SEND, { input }, as)).intraLedgerPaymentSend as Sent);
      return said((await new WalletClient(instances.url(n >> 1), alice.wallets.BTC, () => as).pay(request)) as Sent);
    });
    const { SUCCESS = 0, ...others } = tally(answers);
    expect(others).toEqual({ TRANSACTION_RESTRICTED: 90 - SUCCESS });
    const spent = await Promise.all(keys.map(({ id }) => spentBy(id, session)));
    expect(spent[0]).toBeLessThanOrEqual(900);
    expect(spent[0]).toBeGreaterThan(800);
    expect(spent[1]).toBeLessThanOrEqual(1_200);
    // Where all are in flight at once, each holds 90 and returns 9 only when the rest have been refused.
    expect(spent[1]).toBeGreaterThan((1_200 - 100) * 0.9);
    expect((spent[0] ?? 0) + (spent[1] ?? 0)).toBe(100_000 - (await alice.sats()));
  });
});
