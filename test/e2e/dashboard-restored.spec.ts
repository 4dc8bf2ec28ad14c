import type { TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { createDollarApp } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { routesOf } from '../support/routes.js';
import { WebhookService } from '../../src/webhook/index.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NO_LIMITS = { daily: '', weekly: '', monthly: '', annual: '' };

interface InterruptedForm {
  /** Where the form is. */
  readonly page: string;
  readonly action: string;
  readonly fields?: Fields;
  /** Where the person finds the form again. */
  readonly back?: string;
  /** What the page says. */
  readonly outcome: string;
  readonly next?: string;
}

/** The sentence about a form that did nothing, on the page after the sign-in: each form of the dashboard has it. */
describe('a form that arrives after its session has ended', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let browser: BrowserSession;
  const ids = { hash: '', key: '', app: '', endpoint: '', order: '', conversion: '' };

  beforeAll(async () => {
    app = await createDollarApp();
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 100_000 });
    bob = await fixture.user();
    const coffee = await newOAuthApp(app);
    browser = new BrowserSession(app.url);
    await coffee.connect(alice, { scope: 'read write' }, browser);
    await browser.post('/dashboard/webhooks', {
      ...hiddenFields(await browser.get('/dashboard/webhooks/new')),
      url: 'https://shop.example.test/',
    });
    const orderOf = async (page: string, fields: Fields): Promise<string> =>
      (await browser.post(page, { ...hiddenFields(await browser.get(page)), unit: 'sats', memo: '', ...fields })).location;
    const { rows } = await app.pool.query<{ id: string }>(`SELECT id FROM api_key WHERE user_id = $1 AND 'write' = ANY (scopes) LIMIT 1`, [
      alice.userId,
    ]);
    Object.assign(ids, {
      hash: (await alice.invoice(1_000)).paymentHash,
      key: rows[0]?.id,
      app: coffee.client.id,
      endpoint: (await app.get(WebhookService).list(alice.accountId))[0]?.id,
      order: await orderOf('/dashboard/send', { to: bob.username, amount: '5' }),
      conversion: await orderOf('/dashboard/convert', { amount: '20,000' }),
    });
  });
  afterAll(() => app.close());

  const AGAIN = 'Confirm it again.';
  /** By their routes: one that is missing fails. */
  const FORMS: Readonly<Record<string, () => InterruptedForm>> = {
    'POST /dashboard/receive': () => ({
      page: '/dashboard',
      action: '/dashboard/receive',
      back: '/dashboard/receive',
      fields: { amount: '5', unit: 'sats', memo: '' },
      outcome: 'nothing was created',
    }),
    'POST /dashboard/receive/:hash/cancel': () => ({
      page: `/dashboard/receive/${ids.hash}`,
      action: `/dashboard/receive/${ids.hash}/cancel`,
      outcome: 'the invoice was not cancelled',
      next: AGAIN,
    }),
    'POST /dashboard/send': () => ({
      page: '/dashboard/send',
      action: '/dashboard/send',
      fields: { to: 'bob', amount: '5', unit: 'sats', memo: '' },
      outcome: 'no money was sent',
    }),
    'POST /dashboard/send/review': () => ({
      page: ids.order,
      action: '/dashboard/send/review',
      back: ids.order,
      outcome: 'no money was sent',
    }),
    'POST /dashboard/convert': () => ({
      page: '/dashboard/convert',
      action: '/dashboard/convert',
      fields: { amount: '5', unit: 'USD' },
      outcome: 'nothing was converted',
    }),
    'POST /dashboard/convert/review': () => ({
      page: ids.conversion,
      action: '/dashboard/convert/review',
      back: '/dashboard/convert/review?order=',
      outcome: 'nothing was converted',
    }),
    'POST /dashboard/account/currency': () => ({
      page: '/dashboard/account',
      action: '/dashboard/account/currency',
      back: '/dashboard/account',
      fields: { currency: 'USD' },
      outcome: 'nothing was saved',
    }),
    'POST /dashboard/keys': () => ({
      page: '/dashboard/keys/new',
      action: '/dashboard/keys',
      back: '/dashboard/keys/new',
      fields: { name: 'Till', scope: 'read', limit: '', window: 'daily', expires: '90' },
      outcome: 'nothing was created',
    }),
    'POST /dashboard/keys/:id/limits': () => ({
      page: `/dashboard/keys/${ids.key}/limits`,
      action: `/dashboard/keys/${ids.key}/limits`,
      fields: NO_LIMITS,
      outcome: 'nothing was saved',
    }),
    'POST /dashboard/keys/:id/revoke': () => ({
      page: `/dashboard/keys/${ids.key}/revoke`,
      action: `/dashboard/keys/${ids.key}/revoke`,
      outcome: 'the key was not revoked',
      next: AGAIN,
    }),
    'POST /dashboard/apps/:id/limits': () => ({
      page: `/dashboard/apps/${ids.app}/limits`,
      action: `/dashboard/apps/${ids.app}/limits`,
      fields: NO_LIMITS,
      outcome: 'nothing was saved',
    }),
    'POST /dashboard/apps/:id/disconnect': () => ({
      page: `/dashboard/apps/${ids.app}/disconnect`,
      action: `/dashboard/apps/${ids.app}/disconnect`,
      outcome: 'the app was not disconnected',
      next: AGAIN,
    }),
    'POST /dashboard/webhooks': () => ({
      page: '/dashboard/webhooks/new',
      action: '/dashboard/webhooks',
      back: '/dashboard/webhooks/new',
      fields: { url: 'https://shop.example.test/two' },
      outcome: 'nothing was added',
    }),
    'POST /dashboard/webhooks/:id/rotate': () => ({
      page: `/dashboard/webhooks/${ids.endpoint}`,
      action: `/dashboard/webhooks/${ids.endpoint}/rotate`,
      back: `/dashboard/webhooks/${ids.endpoint}`,
      outcome: 'no new secret was made',
      next: AGAIN,
    }),
    'POST /dashboard/webhooks/:id/deliveries/:delivery/replay': () => ({
      page: `/dashboard/webhooks/${ids.endpoint}`,
      action: `/dashboard/webhooks/${ids.endpoint}/deliveries/${UNKNOWN}/replay`,
      back: `/dashboard/webhooks/${ids.endpoint}`,
      outcome: 'the delivery was not sent again',
      next: AGAIN,
    }),
    'POST /dashboard/webhooks/:id/delete': () => ({
      page: `/dashboard/webhooks/${ids.endpoint}/delete`,
      action: `/dashboard/webhooks/${ids.endpoint}/delete`,
      outcome: 'the endpoint was not deleted',
      next: AGAIN,
    }),
  };

  const account = (): { email: string; password: string } => ({ email: alice.email, password: PASSWORD });
  async function signedIn(): Promise<BrowserSession> {
    const session = new BrowserSession(app.url);
    await session.signInOnTheWay(await session.get('/dashboard'), account());
    return session;
  }
  /** The page to which redirects lead. */
  async function arrive(visit: Visit): Promise<Visit> {
    let page = visit;
    while (page.location) page = await browser.get(page.location);
    return page;
  }
  const textOf = ({ text }: Visit): string =>
    text
      .slice(text.indexOf('<main'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  const sentences = (page: Visit): string[] => textOf(page).match(/Your form wasn’t sent\. [^.]*\. [^.]*\./g) ?? [];

  it('is known here for each form of the dashboard', () => {
    expect(Object.keys(FORMS).sort()).toEqual(
      routesOf(app)
        .filter((route) => route.startsWith('POST /dashboard'))
        .sort(),
    );
  });

  describe.each<[string, () => Promise<unknown>, (sent: Visit) => Promise<Visit>]>([
    [
      'before a sign-in',
      () => fixture.endSessions(alice),
      async (sent) => arrive(await browser.submit(await browser.get(sent.location), account())),
    ],
    [
      'after a sign-in in another tab',
      async () => {
        await fixture.endSessions(alice);
        await browser.signInOnTheWay(await browser.get('/dashboard'), account());
      },
      arrive,
    ],
  ])('%s', (_, end, arriveAfter) => {
    beforeEach(async () => {
      browser = await signedIn();
    });

    it.each(Object.keys(FORMS))('did not do it, and the page says so once: %s', async (route) => {
      const form = FORMS[route]?.();
      if (!form) throw new Error(route);
      const { page, action, fields = {}, back = page, outcome, next = 'Check it and send it again.' } = form;
      const open = await browser.get(page);
      expect([open.status, sentences(open)]).toEqual([200, []]);
      await end();
      const sent = await browser.post(action, { ...hiddenFields(open), ...fields });
      expect(sent.status).toBe(303);
      const restored = await arriveAfter(sent);
      expect([restored.status, restored.url.startsWith(new URL(back, app.url).href)]).toEqual([200, true]);
      expect(sentences(restored)).toEqual([`Your form wasn’t sent. You were signed out before it arrived, so ${outcome}. ${next}`]);
      expect(sentences(await browser.get(restored.url))).toEqual([]);
    });
  });

  it('was too long to keep: the page says what it did not do, and shows an empty form', async () => {
    browser = await signedIn();
    const path = `/dashboard/keys/${ids.key}/limits`;
    const open = await browser.get(path);
    await fixture.endSessions(alice);
    const sent = await browser.post(path, { ...hiddenFields(open), ...NO_LIMITS, daily: '5'.repeat(3_000) });
    const restored = await arrive(await browser.submit(await browser.get(sent.location), account()));
    expect(textOf(restored)).toContain(
      'Your form wasn’t sent. You were signed out before it arrived, so nothing was saved. We couldn’t keep what you entered: enter it again.',
    );
    expect(hiddenFields(restored)['based']).toBe(hiddenFields(open)['based']);
  });

  it('is not mentioned on a page without its form', async () => {
    browser = await signedIn();
    const { paymentHash } = await alice.invoice(1_000);
    const page = `/dashboard/receive/${paymentHash}`;
    const open = await browser.get(page);
    await fixture.endSessions(alice);
    const sent = await browser.post(`${page}/cancel`, hiddenFields(open));
    const other = await signedIn();
    await other.post(`${page}/cancel`, hiddenFields(await other.get(page)));
    const restored = await arrive(await browser.submit(await browser.get(sent.location), account()));
    expect(textOf(restored)).toContain('Invoice cancelled');
    expect(sentences(restored)).toEqual([]);
  });

  it('is not mentioned on the review of another payment', async () => {
    browser = await signedIn();
    const fill = async (): Promise<Visit> => {
      const form = await browser.get('/dashboard/send');
      const fields = { to: bob.username, amount: '7', unit: 'sats', memo: '' };
      return browser.get((await browser.post('/dashboard/send', { ...hiddenFields(form), ...fields })).location);
    };
    const one = await browser.get(ids.order);
    await fixture.endSessions(alice);
    await browser.post('/dashboard/send/review', hiddenFields(one));
    await browser.signInOnTheWay(await browser.get('/dashboard'), account());
    const two = await fill();
    expect([two.status, sentences(two), textOf(two).includes('Send 7 sats?')]).toEqual([200, [], true]);
  });
});
