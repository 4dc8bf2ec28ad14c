import { WebhookService } from '../../src/money/webhook/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, type CredentialHeaders } from '../support/graphql.js';
import { post, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';
import { RawSocket } from '../support/raw-socket.js';
import { TimeTravel } from '../support/time-travel.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const PAGE = '/dashboard/security/pause';
const MESSAGE = expect.stringContaining('Access is paused') as string;
/** As a bad credential is refused, with a code of its own. */
const PAUSED = {
  error: { code: 403, status: 'ACCESS_PAUSED', message: MESSAGE },
  errors: [{ message: MESSAGE, extensions: { code: 'ACCESS_PAUSED' } }],
};

let app: TestApp;
let fixture: Fixture;
let operator: OperatorCommand;
let coffee: OAuthApp;
let alice: Person;
let bob: Person;
let browser: BrowserSession;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1' } });
  fixture = new Fixture(app);
  operator = new OperatorCommand(app);
  coffee = await newOAuthApp(app);
});
beforeEach(async () => {
  [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  await signIn(alice);
});
afterEach(async () => {
  await app.pool.query('DELETE FROM access_pause');
  await fixture.expectBalanced();
});
afterAll(async () => {
  receiver.stop();
  await app.close();
});

async function signIn({ email }: Person): Promise<void> {
  browser = new BrowserSession(app.url);
  await browser.signInOnTheWay(await browser.get(PAGE), { email, password: PASSWORD });
}
const ask = (credential: CredentialHeaders): Promise<HttpAnswer> =>
  post(`${app.url}/graphql`, { query: '{ me { username } }' }, credential);
const works = async (credential: CredentialHeaders, person: Person): Promise<void> =>
  expect((await ask(credential)).body).toEqual({ data: { me: { username: person.username } } });
const isPaused = async (credential: CredentialHeaders): Promise<void> =>
  expect(await ask(credential)).toMatchObject({ status: 403, body: PAUSED });
const press = async (access: 'pause' | 'resume'): Promise<Visit> =>
  browser.post(PAGE, { ...hiddenFields(await browser.get(PAGE)), access });

describe('a person who pauses access', () => {
  it('refuses keys and apps, closes their sockets, and gets back exactly what was', async () => {
    const tokens = await coffee.connect(alice, { scope: 'read offline' });
    const [key, token] = [alice.as('read'), { 'oauth2-token': tokens.access_token }];
    const sockets = await Promise.all([key, token].map((credential) => RawSocket.admitted(app.url, credential)));
    const session = await fixture.session(alice);
    const sessionSocket = await RawSocket.admitted(app.url, session);

    expect(await press('pause')).toMatchObject({ status: 303, location: `${app.url}${PAGE}` });
    for (const credential of [key, token]) await isPaused(credential);
    expect(await coffee.userinfo(tokens.access_token)).toMatchObject({ status: 403, body: { error: 'access_denied' } });
    for (const { closed } of sockets) expect(await closed).toEqual({ code: 4403, reason: 'ACCESS_PAUSED' });
    const refused = await RawSocket.open(app.url);
    refused.send({ type: 'connection_init', payload: key });
    expect(await refused.closed).toMatchObject({ code: 4403, reason: MESSAGE });

    await works(session, alice);
    expect(sessionSocket.socket.readyState).toBe(1);
    await works(bob.as('read'), bob);

    const text = (await browser.get(PAGE)).text;
    expect(text).toMatch(/You paused access\. Since <time [^>]+>\d+ \w+ \d+, [\d:]+ UTC<\/time>\./);
    await press('resume');
    await works(key, alice);
    await works(token, alice);
    const { body } = await coffee.refresh(tokens.refresh_token ?? '');
    await works({ 'oauth2-token': (body as Tokens).access_token }, alice);
    (await RawSocket.admitted(app.url, key)).socket.close();
    sessionSocket.socket.close();
  });

  it('shows on the page of a key why it was refused', async () => {
    await press('pause');
    await isPaused(alice.as('write'));
    const { rows } = await app.pool.query<{ id: string }>(`SELECT id FROM api_key WHERE user_id = $1 AND name = 'write'`, [alice.userId]);
    await eventually(async () => (await browser.get(`/dashboard/keys/${rows[0]?.id}`)).text.includes('Access was paused'));
  });

  it('is not paused by a form without its CSRF token', async () => {
    expect((await browser.post(PAGE, { access: 'pause' })).status).toBe(403);
    await works(alice.as('read'), alice);
  });

  it('presses twice: it is one pause, and one resume ends it', async () => {
    await press('pause');
    await press('pause');
    await press('resume');
    await works(alice.as('read'), alice);
    await press('resume');
    await works(alice.as('read'), alice);
  });

  it('has payments in flight that end as usual', async () => {
    const { paymentRequest, paymentHash } = await fixture.simulator.createOutsideInvoice({
      amountMsat: 10_000n,
      memo: '',
      faults: { hold: true, routeFeeMsat: 0n },
    });
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'PENDING' });
    await press('pause');
    await fixture.release(paymentHash);
    const session = await fixture.session(alice);
    const STATUS = `{ me { defaultAccount { transactions(first: 1) { edges { node { status settlementAmount } } } } } }`;
    await eventually(async () => {
      const { me } = await dataOf(app.url, STATUS, {}, session);
      return me.defaultAccount.transactions.edges[0].node.status === 'SUCCESS';
    });
  });

  it('holds webhooks until the end of the pause, and loses no attempt', async () => {
    await eventually(async () => (await app.pool.query(`SELECT FROM event_consumer WHERE name = 'webhook'`)).rowCount === 1);
    await signIn(bob);
    await app.get(WebhookService).add(bob.accountId, receiver.url('/shop'));
    const { paymentRequest } = await bob.invoice(5);
    await press('pause');
    await fixture.simulator.payOutside(paymentRequest);
    const waits = async (): Promise<{ attempts: number; isLater: boolean } | undefined> =>
      (
        await app.pool.query<{ attempts: number; isLater: boolean }>(
          `SELECT attempts, run_at > now() + interval '30 s' AND claim IS NULL AS "isLater" FROM job WHERE task = 'webhook'`,
        )
      ).rows[0];
    await eventually(async () => (await waits())?.isLater);
    expect(await waits()).toMatchObject({ attempts: 0 });
    expect(receiver.deliveries).toEqual([]);
    await press('resume');
    await new TimeTravel(app).webhooksAreDue();
    expect(await receiver.until(1, '/shop')).toMatchObject([{ event: { accountId: bob.accountId } }]);
  });
});

describe('the operator who pauses access', () => {
  it('pauses all people, with a line in the log of operators, and ends no pause of a person', async () => {
    await press('pause');
    expect(await operator.run('pause', '--because', 'a leak at a partner')).toContain('paused');
    await isPaused(bob.as('read'));
    expect((await browser.get(PAGE)).text).toContain('The operator of this server paused access for all people.');
    await expect(operator.run('pause', '--because', 'again')).rejects.toThrow('paused already');

    await operator.run('resume', '--because', 'the partner has new keys');
    await works(bob.as('read'), bob);
    await isPaused(alice.as('read'));
    await expect(operator.run('resume', '--because', 'again')).rejects.toThrow('not paused');
    const log = await operator.json<{ action: string; subject: string; because: string }[]>('operator', 'log', '--subject', 'all');
    expect(log).toMatchObject([
      { action: 'resume', subject: 'all', because: 'the partner has new keys' },
      { action: 'pause', subject: 'all', because: 'a leak at a partner' },
    ]);
  });
});
