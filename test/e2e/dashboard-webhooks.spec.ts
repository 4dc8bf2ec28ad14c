import { Webhook } from 'standardwebhooks';
import { createTestApp, type TestApp } from '../support/app.js';
import { hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { EgressClient } from '../../src/edge/egress/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { MAX_ENDPOINTS, WebhookService } from '../../src/money/webhook/index.js';
import { TimeTravel } from '../support/time-travel.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('the pages of webhooks', () => {
  let app: TestApp;
  let fixture: Fixture;
  let receiver: WebhookReceiver;
  let alice: Person;
  let browser: BrowserSession;

  async function signIn({ email }: Person): Promise<BrowserSession> {
    const session = new BrowserSession(app.url);
    await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
    return session;
  }
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    receiver = await WebhookReceiver.start();
  });
  beforeEach(async () => {
    alice = await fixture.user();
    browser = await signIn(alice);
  });
  afterAll(async () => {
    receiver.stop();
    await app.close();
  });

  /** The page to which a form leads. */
  async function after(sent: Visit, by = browser): Promise<Visit> {
    if (sent.status !== 303) return sent;
    const { pathname, search } = new URL(sent.location);
    return by.get(pathname + search);
  }
  async function add(url: string): Promise<Visit> {
    return after(await browser.post('/dashboard/webhooks', { ...hiddenFields(await browser.get('/dashboard/webhooks/new')), url }));
  }
  /** Presses the only button of a form with this action, as a browser without JavaScript does. */
  async function press(page: string, action: string, by = browser): Promise<Visit> {
    return after(await by.post(action, hiddenFields(await by.get(page))), by);
  }
  const secretIn = ({ text }: Visit): string | undefined =>
    /whsec_[A-Za-z0-9+/=]+/.exec(text.replaceAll('&#x2B;', '+').replaceAll('&#43;', '+'))?.[0];
  const endpointOf = async (): Promise<string> => (await app.get(WebhookService).list(alice.accountId))[0]?.id ?? '';

  it('add an endpoint, show its secret once, and list it', async () => {
    expect((await browser.get('/dashboard/webhooks')).text).toContain('No endpoints');
    const created = await add(receiver.url('/shop'));
    const id = await endpointOf();
    expect(new URL(created.url).pathname).toBe(`/dashboard/webhooks/${id}/secret`);
    expect(secretIn(created)).toHaveLength('whsec_'.length + 44);
    const again = await browser.get(`/dashboard/webhooks/${id}/secret`);
    expect(again.text).toContain('can’t be shown again');
    expect(secretIn(again)).toBeUndefined();
    expect((await browser.get('/dashboard/webhooks')).text).toContain(`/dashboard/webhooks/${id}`);
  });

  it.each([
    ['no url', 'Enter a URL such as https://shop.example/hooks'],
    ['http://shop.example:1/x y', 'Enter a URL such as https://shop.example/hooks'],
    ['ftp://shop.example/', 'Enter a URL such as https://shop.example/hooks'],
    ['http://93.184.216.34/', 'Use https: http works only for networks that the operator of this server allows (in a demo, this machine)'],
    ['https://10.0.0.1/', 'Use a public address'],
  ])('refuse %s, and keep what was typed', async (url, words) => {
    const { status, text } = await add(url);
    expect([status, text.includes(words)]).toEqual([422, true]);
    expect(text).toContain(`value="${url}"`);
    expect(await endpointOf()).toBe('');
  });

  it('take a name exactly where delivery takes it', async () => {
    const egress = app.get(EgressClient);
    const resolver = egress as unknown as { resolve: (name: string) => Promise<object[]> };
    const resolve = resolver.resolve.bind(egress);
    const addresses = new Map([
      ['public.example', ['93.184.216.34']],
      ['private.example', ['10.0.0.1']],
      ['here.example', ['127.0.0.1']],
    ]);
    jest
      .spyOn(resolver, 'resolve')
      .mockImplementation((name) =>
        addresses.has(name) ? Promise.resolve((addresses.get(name) ?? []).map((address) => ({ address, family: 4 }))) : resolve(name),
      );
    const refused = async (url: string, words: string): Promise<void> => {
      const { status, text } = await add(url);
      expect([url, status, text.includes(words)]).toEqual([url, 422, true]);
      expect(await egress.request({ method: 'POST', url, timeoutMs: 1_000, maxBytes: 1 })).toMatchObject({ kind: 'refused' });
    };
    await refused('http://public.example/', 'Use https: http works only');
    await refused('https://private.example/', 'Use a public address');
    await refused('http://private.example/', 'Use a public address');
    const { port } = new URL(receiver.url());
    for (const [n, host] of ['here.example', 'localhost', 'LOCALHOST'].entries()) {
      const { url, text } = await add(`http://${host}:${port}/named${n}`);
      expect(url).toContain('/secret');
      expect(text).toContain('Copy your secret now');
    }
    // "localhost" may lead to ::1, where the receiver does not listen.
    await fixture.fund(alice, 21);
    await receiver.until(1, '/named0');
    jest.restoreAllMocks();
  });

  it('list how each endpoint does', async () => {
    const list = async (): Promise<string> =>
      (await browser.get('/dashboard/webhooks')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    await add(receiver.url('/health'));
    const page = `/dashboard/webhooks/${await endpointOf()}`;
    expect(await list()).toMatch(/\/health Nothing sent yet – 0/);
    receiver.answer = () => 204;
    await fixture.fund(alice, 21);
    await eventually(async () => / Works HTTP 204 Just now 0/.test(await list()));
    expect((await browser.get(page)).text).toContain('Works');
    receiver.answer = () => 503;
    await fixture.fund(alice, 22);
    await eventually(async () => / Failing for less than a minute HTTP 503 Just now 1/.test(await list()));
    expect((await browser.get(page)).text).toContain('Failing');
    receiver.answer = () => 410;
    await fixture.fund(alice, 23);
    await eventually(async () => / Disabled for less than a minute HTTP 410 Just now 0/.test(await list()));
  });

  it('say which API key added an endpoint, also after the key has ended', async () => {
    await add(receiver.url('/mine'));
    const key = `SELECT id FROM api_key WHERE user_id = $1 AND name = 'receive'`;
    const keyId = (await app.pool.query<{ id: string }>(key, [alice.userId])).rows[0]?.id ?? '';
    await app.get(WebhookService).add(alice.accountId, receiver.url('/theirs'), keyId);
    const [mine, theirs] = (await app.get(WebhookService).list(alice.accountId)).map(({ id }) => `/dashboard/webhooks/${id}`);
    const addedBy = async (page = ''): Promise<string | undefined> =>
      / added (by .*?) Added /
        .exec(
          (await browser.get(page)).text
            .replaceAll(/<(?!\/?bdi)[^>]*>/g, ' ')
            .replaceAll(/<[^>]*>/g, '')
            .replaceAll(/\s+/g, ' '),
        )?.[1]
        ?.trim();
    expect([await addedBy(mine), await addedBy(theirs)]).toEqual([undefined, 'by API key “receive”']);
    await app.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]);
    expect(await addedBy(theirs)).toBe('by API key “receive”');
    expect((await browser.get(theirs ?? '')).text).toContain(`href="/dashboard/keys/${keyId}"`);
    expect((await browser.get('/dashboard/webhooks')).text).toContain('API key “<bdi>receive</bdi>”');
    await app.pool.query('DELETE FROM api_key WHERE id = $1', [keyId]);
    expect(await addedBy(theirs)).toBe('by an API key that is no longer kept');
  });

  it('send a test event, which moves no money', async () => {
    const secret = secretIn(await add(receiver.url('/test'))) ?? '';
    await add(receiver.url('/untested'));
    const [tested] = await app.get(WebhookService).list(alice.accountId);
    const page = `/dashboard/webhooks/${tested?.id}`;
    receiver.answer = () => 204;
    const mallory = await signIn(await fixture.user());
    expect((await press('/dashboard/webhooks/new', `${page}/test`, mallory)).status).toBe(404);
    expect((await browser.get(page)).text).toContain('Send a test event');
    const sent = await press(page, `${page}/test`);
    expect([sent.status, sent.text.includes('Sending was requested')]).toEqual([200, true]);
    const [delivery] = await receiver.until(1, '/test');
    const headers = delivery?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(delivery?.body ?? '', headers)).toEqual({ accountId: alice.accountId, eventType: 'webhook.test' });
    await eventually(async () => (await browser.get(page)).text.includes('Delivered'));
    expect((await browser.get(page)).text).toContain('webhook.test');
    expect(await alice.sats()).toBe(0);
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 10000 WHERE id = $1', [tested?.id]);
    expect((await press(page, `${page}/test`)).text).toContain('Too many deliveries are waiting');
    expect([receiver.at('/test').length, receiver.at('/untested').length]).toEqual([1, 0]);
  });

  it('send a waiting delivery now, and not twice at once', async () => {
    await add(receiver.url('/now'));
    const id = await endpointOf();
    const page = `/dashboard/webhooks/${id}`;
    const attempts = (count: number) => eventually(async () => (await app.get(WebhookService).deliveriesOf(id))[0]?.attempts === count);
    receiver.answer = () => 503;
    await fixture.fund(alice, 21);
    await attempts(1);
    await new TimeTravel(app).webhooksAreDue();
    // The next attempt is five minutes away.
    await attempts(2);
    const { text } = await browser.get(page);
    expect(text).toContain('Send now');
    const action = /action="([^"]+\/replay)"/.exec(text)?.[1] ?? '';
    let release: (status: number) => void = () => undefined;
    const response = new Promise<number>((resolve) => (release = resolve));
    receiver.answer = () => response;
    expect((await press(page, action)).text).toContain('Sending was requested');
    await receiver.until(3, '/now');
    expect((await browser.get(page)).text).toContain('sending now');
    expect((await press(page, action)).text).toContain('This delivery is being sent');
    release(204);
    await attempts(3);
    expect(receiver.at('/now')).toHaveLength(3);
    expect((await browser.get(page)).text).not.toContain('Send now');
  });

  it('refuse an endpoint above the maximum', async () => {
    for (let n = 0; n < MAX_ENDPOINTS; n++) await app.get(WebhookService).add(alice.accountId, `https://shop.example/${n}`);
    const { status, text } = await add('https://shop.example/more');
    expect([status, text.includes('Delete one you no longer need first')]).toEqual([422, true]);
  });

  it('show deliveries, and send one again', async () => {
    await add(receiver.url('/log'));
    const page = `/dashboard/webhooks/${await endpointOf()}`;
    expect((await browser.get(page)).text).toContain('Nothing was delivered yet');
    receiver.answer = () => 418;
    await fixture.fund(alice, 21);
    await eventually(async () => (await browser.get(page)).text.includes('HTTP 418'));
    const { text } = await browser.get(page);
    expect(text).toContain('receive.lightning');
    expect(text).not.toContain('Send again');
    expect(text).toMatch(/>(sending now|next attempt in \d+ seconds?)</);
    expect(text).toContain(`<a href="${page}">Check now</a>`);
    receiver.answer = () => 204;
    await new TimeTravel(app).webhooksAreDue();
    await eventually(async () => (await browser.get(page)).text.includes('Send again'));
    const action = /action="([^"]+\/replay)"/.exec((await browser.get(page)).text)?.[1] ?? '';
    expect((await press(page, action)).text).toContain('Sending was requested');
    await receiver.until(3, '/log');
    await eventually(async () => !(await browser.get(page)).text.includes('Check now'));
    expect(new Set(receiver.at('/log').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await press(page, action.replace(/[^/]+\/replay/, `${UNKNOWN}/replay`))).text).toContain('This delivery is no longer kept');
  });

  it('show that an endpoint is disabled, and enable it', async () => {
    await add(receiver.url('/gone'));
    const page = `/dashboard/webhooks/${await endpointOf()}`;
    expect((await browser.get(page)).text).not.toContain('Enable');
    receiver.answer = () => 410;
    await fixture.fund(alice, 21);
    await eventually(async () => (await browser.get(page)).text.includes('410 Gone'));
    expect((await browser.get('/dashboard/webhooks')).text).toContain('Disabled');
    const mallory = await signIn(await fixture.user());
    expect((await press('/dashboard/webhooks/new', `${page}/enable`, mallory)).status).toBe(404);
    expect((await browser.get(page)).text).toContain(`action="${page}/enable"`);
    const enabled = await press(page, `${page}/enable`);
    expect([enabled.status, enabled.text.includes('410 Gone'), enabled.text.includes('Enable')]).toEqual([200, false, false]);
    expect((await browser.get('/dashboard/webhooks')).text).not.toContain('Disabled');
    receiver.answer = () => 204;
    await fixture.fund(alice, 22);
    await receiver.until(2, '/gone');
  });

  it('make a new secret, and delete the endpoint', async () => {
    const first = secretIn(await add(receiver.url('/rotate')));
    const page = `/dashboard/webhooks/${await endpointOf()}`;
    const second = secretIn(await press(page, `${page}/rotate`));
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
    expect((await browser.get(page)).text).toContain('Old secret valid until');
    expect((await browser.get(`${page}/delete`)).text).toContain('Delete this endpoint?');
    const deleted = await press(`${page}/delete`, `${page}/delete`);
    expect(deleted.text).toContain('The endpoint is deleted');
    expect(await endpointOf()).toBe('');
    expect((await browser.get(page)).status).toBe(404);
  });

  it('are of no other person', async () => {
    await add(receiver.url('/mine'));
    const page = `/dashboard/webhooks/${await endpointOf()}`;
    const mallory = await signIn(await fixture.user());
    for (const path of [page, `${page}/secret`, `${page}/delete`]) expect((await mallory.get(path)).status).toBe(404);
    for (const action of ['rotate', `deliveries/${UNKNOWN}/replay`])
      expect((await press('/dashboard/webhooks/new', `${page}/${action}`, mallory)).status).toBe(404);
    await press('/dashboard/webhooks/new', `${page}/delete`, mallory);
    expect(await endpointOf()).not.toBe('');
  });
});
