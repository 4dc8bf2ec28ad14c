import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, formAction, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

const ROUNDS = 20;
const WINDOWS = ['daily', 'weekly', 'monthly', 'annual'];
const CREATE = 'mutation { apiKeyCreate(input: { name: "shop", scopes: [READ, WRITE] }) { apiKey { id } } }';

/** Forms that show the same limits and are sent at the same moment: the last write wins. */
describe('two forms of the same limits, sent at once', () => {
  let app: TestApp;
  let alice: Person;
  let coffee: OAuthApp;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user();
    coffee = await newOAuthApp(app);
    browser = new BrowserSession(app.url);
    await coffee.connect(alice, { scope: 'read write' }, browser);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
  });
  afterAll(() => app.close());

  const limitsOf = async (id: string): Promise<unknown> =>
    (
      await app.pool.query(
        `SELECT ${WINDOWS.map((window) => `(${window}_msat / 1000)::int AS ${window}`).join()} FROM budget WHERE id = $1`,
        [id],
      )
    ).rows[0];
  const count = async (table: string): Promise<number> => (await app.pool.query(`SELECT FROM ${table}`)).rowCount ?? 0;
  const asked = async (): Promise<Visit> =>
    coffee.consentPage(alice, await browser.get(coffee.authorizeUrl({ scope: 'read write', prompt: 'consent' })), browser);
  const allow = (page: Visit, more: Fields): Promise<Visit> =>
    browser.post(formAction(page), { ...hiddenFields(page), decision: 'allow', scope: ['read', 'write'], ...more });

  /** Sends both at once, many times; afterwards the limits are those of one of them. */
  async function race(
    sendBoth: (round: number) => Promise<readonly Visit[]>,
    limits: () => Promise<unknown>,
    wanted: (round: number, n: number) => unknown,
  ) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await sendBoth(round);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect([wanted(round, 0), wanted(round, 1)]).toContainEqual(await limits());
    }
  }

  it.each<[string, () => Promise<[path: string, budget: string]>]>([
    [
      'a key',
      async () => {
        const session = await new Fixture(app).session(alice);
        const { id } = (await dataOf(app.url, CREATE, {}, session)).apiKeyCreate.apiKey as { id: string };
        return [`/dashboard/keys/${id}/limits`, id];
      },
    ],
    ['an app', async () => [`/dashboard/apps/${coffee.client.id}/limits`, `${coffee.client.id}:${alice.userId}`]],
  ])('of %s: the last one is saved, whole', async (_, subject) => {
    const [path, budget] = await subject();
    const wanted = (round: number, n: number): Record<string, number | null> => ({
      daily: 1_000 * (n + 1) + round,
      weekly: null,
      monthly: null,
      annual: 5_000 * (n + 1) + round,
    });
    await race(
      async (round) => {
        const hidden = hiddenFields(await browser.get(path));
        const fields = (n: number): Fields =>
          Object.fromEntries(WINDOWS.map((window) => [window, String(wanted(round, n)[window] ?? '')] as const));
        return Promise.all([0, 1].map((n) => browser.post(path, { ...hidden, ...fields(n) })));
      },
      () => limitsOf(budget),
      wanted,
    );
  });

  it('on two consent pages of an app: both are granted, and the last limit is set', async () => {
    await race(
      async (round) => {
        const pages = [await asked(), await asked()];
        const before = await count('oauth_grant');
        const answers = await Promise.all(pages.map((page, n) => allow(page, { limit: String(100 * (n + 1) + round), window: 'weekly' })));
        expect(await count('oauth_grant')).toBe(before + 2);
        return answers;
      },
      async () => ((await limitsOf(`${coffee.client.id}:${alice.userId}`)) as { weekly: number }).weekly,
      (round, n) => 100 * (n + 1) + round,
    );
  });

  it('as two answers to one request: the answer that does not count sets no limit', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await asked();
      const answers = await Promise.all([1, 2].map((n) => allow(page, { limit: String(10_000 * n + round), window: 'monthly' })));
      const winner = answers.findIndex(({ location }) => location.includes('code='));
      expect(answers.filter(({ location }) => location.includes('code='))).toHaveLength(1);
      expect(answers[1 - winner]?.text).toContain('data-testid="error-allowed"');
      expect(await limitsOf(`${coffee.client.id}:${alice.userId}`)).toMatchObject({ monthly: 10_000 * (winner + 1) + round });
    }
  });
});
