import { ApplicationEditor } from '../../src/access/oauth/index.js';
import { OperatorService } from '../../src/access/user/index.js';
import { COMMANDS } from '../../src/operator/act/index.js';
import { PAGES } from '../../src/operator/console/console-page.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { routesOf } from '../support/routes.js';

let app: TestApp;
let fixture: Fixture;
let olga: Person;
let otto: Person;
let alice: Person;
let browser: BrowserSession;

const BECAUSE = 'a customer called';
const role = (person: Person, isOperator: boolean): Promise<string> =>
  app.get(OperatorService).change(person.userId, isOperator, { who: 'test', because: 'test' });
const signIn = async (person: Person): Promise<BrowserSession> => {
  const one = new BrowserSession(app.url);
  await one.signInOnTheWay(await one.get('/dashboard'), { email: person.email, password: PASSWORD });
  return one;
};

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  [olga, otto, alice] = [
    await fixture.user({ username: 'olga' }),
    await fixture.user({ username: 'otto' }),
    await fixture.user({ sats: 1_000 }),
  ];
  for (const person of [olga, otto]) await role(person, true);
  browser = await signIn(olga);
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

const form = (path: string): Promise<Visit> => browser.get(path);
/** Opens the form of a command, fills it in and sends it; follows the redirect to what it has printed. */
async function act(command: string, fields: Fields): Promise<Visit> {
  const path = `/operator/act/${command.replaceAll(' ', '_')}`;
  const sent = await browser.post(path, { ...hiddenFields(await form(path)), ...fields });
  return sent.location === '' ? sent : browser.get(sent.location);
}
const logOf = async (action: string): Promise<unknown[]> =>
  (await app.pool.query('SELECT who, action, because FROM operator_action WHERE action = $1 ORDER BY id', [action])).rows;

describe('the console', () => {
  it('says whether the operator can sleep', async () => {
    expect((await browser.get('/operator')).text).toContain('All is well.');
    await act('freeze', { because: BECAUSE });
    const { text } = await browser.get('/operator');
    expect(text).not.toContain('All is well.');
    expect(text).toContain('Look<span class="hide"> at: Stopped sends</span>');
    expect((await act('thaw', { because: BECAUSE })).text).toContain('Allowed: the sends of all accounts.');
    expect(await logOf('thaw')).toEqual([{ who: 'olga', action: 'thaw', because: BECAUSE }]);
  });

  it.each(PAGES.filter(({ command }) => !command.endsWith(' show')).map(({ path, title, command }) => [path, title, command]))(
    'has the page %s, with the name of its command',
    async (path, title, command) => {
      const { status, text } = await browser.get(`/operator/${path}`);
      // The node of this test is simulated.
      expect(status).toBe(command === 'lnd check' ? 422 : 200);
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain(`<code>sluice ${command}</code>`);
    },
  );

  it('names only commands that exist', () => {
    const named = PAGES.flatMap(({ command, acts = {} }) => [command, ...Object.keys(acts)]);
    expect(named.filter((name) => !COMMANDS.some((command) => command.name === name))).toEqual([]);
  });

  it('is in the navigation of operators only', async () => {
    expect((await browser.get('/dashboard')).text).toContain('href="/operator"');
    expect((await (await signIn(alice)).get('/dashboard')).text).not.toContain('href="/operator"');
  });

  it('finds a user, and suspends, signs out and enables them', async () => {
    const hers = await signIn(alice);
    expect((await browser.get(`/operator/users?search=${alice.username}`)).text).toContain(`href="/operator/user?row=${alice.username}"`);
    expect((await browser.get(`/operator/user?row=${alice.username}`)).text).toContain(alice.email);
    expect((await act('user sign-out', { 'argument-1': alice.username, because: BECAUSE })).text).toMatch(/[12] sessions ended/);
    expect((await hers.get('/dashboard/keys')).location).toContain('/login');
    expect((await act('user disable', { 'argument-1': alice.username, because: BECAUSE })).text).toContain('is disabled.');
    expect((await act('user enable', { 'argument-1': alice.username, because: BECAUSE })).text).toContain('is enabled.');
    expect((await act('user reset-link', { 'argument-1': alice.username, because: BECAUSE })).text).toContain('/reset-password?token=');
    expect((await browser.get('/operator/done')).text).toContain('shown once');
    expect(await logOf('user disable')).toEqual([{ who: 'olga', action: 'user disable', because: BECAUSE }]);
  });

  it('shows the refusal of a command beside its form, keeps what was typed, and changes nothing', async () => {
    const unknown = await act('user disable', { 'argument-1': 'nobody9', because: BECAUSE });
    expect(unknown.status).toBe(422);
    expect(unknown.text).toContain('There is no user');
    expect(unknown.text).toContain('value="nobody9"');
    for (const path of ['log?subject=%00', 'log?who=%00', 'users?search=%00', 'users?after=%00', 'user?row=%00', 'user'])
      expect((await browser.get(`/operator/${path}`)).status).toBe(422);
    const missing = await act('user disable', { 'argument-1': alice.username });
    expect([missing.status, missing.text.includes('Because is missing')]).toEqual([422, true]);
  });

  it('shows the evidence of a payment in flight, and does not end one that the node has', async () => {
    const { paymentRequest, paymentHash } = await fixture.simulator.createOutsideInvoice({
      amountMsat: 10_000n,
      memo: '',
      faults: { hold: true, routeFeeMsat: 0n },
    });
    const paying = alice.pay(paymentRequest);
    const { rows } = await eventuallyRows('SELECT id FROM payment WHERE payment_hash = $1', paymentHash);
    const id = (rows[0] as { id: string }).id;
    expect((await browser.get('/operator/payments?state=in_flight')).text).toContain(`/operator/payment?row=${id}`);
    // The row is there before the node is asked.
    await eventually(async () => (await browser.get(`/operator/payment?row=${id}`)).text.includes('node now: in_flight'));
    const refused = await act('payment resolve', { 'argument-1': id, failed: 'on', because: BECAUSE });
    expect(refused.status).toBe(422);
    await fixture.release(paymentHash);
    expect(await paying).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('an application', () => {
  it('is approved in the version that was read, without several scopes', async () => {
    const wanted = { name: 'Till', purpose: 'Counts what the till has sold.', redirectUris: ['https://till.example/cb'] };
    const asked = { ...wanted, scopes: ['read', 'receive', 'write'] };
    const applied = await app
      .get(ApplicationEditor)
      .apply(asked, { ownerId: alice.userId, submit: true }, { who: alice.username, because: '' });
    const id = applied.kind === 'saved' ? applied.id : '';
    expect((await browser.get('/operator/applications')).text).toContain('Till');
    const [link = ''] = /\/operator\/act\/client_approve[^"]*/.exec((await browser.get(`/operator/application?row=${id}`)).text) ?? [];
    expect(link).toBe(`/operator/act/client_approve?argument-1=${id}&amp;seen=1`);
    const shown = hiddenFields(await form(link.replace('&amp;', '&')));
    const approve = (seen: Fields): Promise<Visit> =>
      browser.post('/operator/act/client_approve', {
        ...shown,
        'argument-1': id,
        'without-scope': 'receive  write',
        because: BECAUSE,
        ...seen,
      });
    expect((await approve({ seen: '2' })).status).toBe(422);
    expect((await approve({})).status).toBe(303);
    expect((await app.pool.query('SELECT state, scopes FROM oauth_client WHERE id = $1', [id])).rows).toEqual([
      { state: 'approved', scopes: ['read'] },
    ]);
  });

  it('attack: long callback URLs hide none, and the result of its approval fits a cookie', async () => {
    const uris = [
      ...Array.from({ length: 7 }, (_, index) => `https://till.example/${index}?${'x'.repeat(1_970)}`),
      'https://evil.example/cb',
    ];
    const wanted = { name: 'Tills', purpose: 'Counts what the till has sold.', redirectUris: uris, scopes: ['read'] };
    const by = { ownerId: alice.userId, submit: true };
    const applied = await app.get(ApplicationEditor).apply(wanted, by, { who: alice.username });
    const id = applied.kind === 'saved' ? applied.id : '';
    const { text } = await browser.get(`/operator/application?row=${id}`);
    for (const uri of uris) expect(text).toContain(`callback URLs: ${uri}</bdi>`);
    const path = '/operator/act/client_approve';
    const approved = await browser.post(path, { ...hiddenFields(await form(path)), 'argument-1': id, seen: '1', because: BECAUSE });
    expect(approved.headers.get('set-cookie')).toMatch(/^.{1,4096}$/);
    expect((await browser.get(approved.location)).text).toContain(`${id} approved`);
  });
});

describe('an adjustment needs two operators', () => {
  const propose = (more: Fields = {}): Promise<Visit> =>
    act('adjust propose', { account: alice.username, sats: '5', operator: 'olga', password: PASSWORD, because: BECAUSE, ...more });

  it('attack: the second operator is the first one', async () => {
    const [, id = ''] = /id: ([0-9a-f-]{36})/.exec((await propose()).text) ?? [];
    const decide = (operator: string, password: string): Promise<Visit> =>
      act('adjust approve', { 'argument-1': id, operator, password, because: BECAUSE });
    const before = await alice.sats();
    const same = await decide('olga', PASSWORD);
    expect([same.status, same.text.includes('Another operator than the one who proposed it')]).toEqual([422, true]);
    const wrong = await decide('otto', 'not the password');
    expect([wrong.status, wrong.text.includes('not the password')]).toEqual([422, false]);
    expect(await alice.sats()).toBe(before);
    expect((await decide('otto', PASSWORD)).text).toContain(`${id} approved`);
    expect(await alice.sats()).toBe(before + 5);
  });

  it('attack: one operator makes a second one, or takes another one’s password', async () => {
    for (const command of ['operator add', 'operator remove'])
      expect((await form(`/operator/act/${command.replace(' ', '_')}`)).status).toBe(404);
    for (const command of ['user reset-link', 'user reset-factor']) {
      const refused = await act(command, { 'argument-1': 'otto', because: BECAUSE });
      expect([refused.status, refused.text.includes('run this command at a terminal')]).toEqual([422, true]);
    }
    expect(await logOf('user reset-factor')).toEqual([]);
  });

  it('attack: a form that is sent twice proposes once', async () => {
    const path = '/operator/act/adjust_propose';
    const fields = { account: alice.username, sats: '7', operator: 'olga', password: PASSWORD, because: 'sent twice' };
    const page = { ...hiddenFields(await form(path)), ...fields };
    const sent = await Promise.all([1, 2].map(() => browser.post(path, page)));
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    expect((await browser.post(path, page)).status).toBe(303);
    expect((await browser.get('/operator/done')).text).toContain('This form was sent before.');
    expect((await app.pool.query(`SELECT 1 FROM adjustment WHERE because = 'sent twice'`)).rowCount).toBe(1);
  });
});

describe('who is no operator gets the page of an unknown address', () => {
  const paths = [
    '/operator',
    '/operator/done',
    ...PAGES.map(({ path }) => `/operator/${path}`),
    ...COMMANDS.map(({ name }) => `/operator/act/${name.replaceAll(' ', '_')}`),
  ];
  const told = ({ status, text }: Visit): [number, string] => [status, text.replace(/nonce="[^"]*"|value="[^"]*"/g, '')];

  it('has all routes of the console in this table', () => {
    const routes = routesOf(app).filter((route) => route.includes('/operator'));
    expect([...routes].sort()).toEqual(
      ['GET /operator', 'GET /operator/:page', 'GET /operator/act/:act', 'GET /operator/done', 'POST /operator/act/:act'].sort(),
    );
  });

  it.each(paths)('attack: GET and POST %s by a person, and by a browser without a session', async (path) => {
    const hers = await signIn(alice);
    const unknown = told(await hers.get('/operator-of-nothing'));
    const csrf = hiddenFields(await hers.get('/dashboard'));
    for (const visitor of [hers, new BrowserSession(app.url)]) {
      expect(told(await visitor.get(path))).toEqual(unknown);
      // A page without a form takes none, from any person.
      expect((await visitor.post(path, csrf)).status).toBe(path.includes('/act/') ? 404 : 405);
    }
  });

  it('attack: the role ends while a page is open', async () => {
    const his = await signIn(otto);
    const path = '/operator/act/freeze';
    const open = hiddenFields(await his.get(path));
    await role(otto, false);
    expect((await his.post(path, { ...open, because: BECAUSE })).status).toBe(404);
    expect((await his.get('/operator')).status).toBe(404);
    expect((await app.pool.query('SELECT 1 FROM payment_freeze')).rows).toEqual([]);
    await role(otto, true);
  });

  it('attack: a form without its CSRF token, and one of another site', async () => {
    const path = '/operator/act/freeze';
    const { csrf: _left, ...open } = hiddenFields(await browser.get(path));
    expect((await browser.post(path, { ...open, because: BECAUSE })).status).toBe(403);
    const whole = { ...hiddenFields(await browser.get(path)), because: BECAUSE };
    expect((await browser.post(path, whole, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' })).status).toBe(403);
    expect((await app.pool.query('SELECT 1 FROM payment_freeze')).rows).toEqual([]);
  });

  it('attack: a session whose proof is old has to prove it again, before a form and before its act', async () => {
    const hers = await signIn(olga);
    const path = '/operator/act/freeze';
    const open = hiddenFields(await hers.get(path));
    await app.pool.query(`UPDATE session SET factor_at = factor_at - interval '1 hour'`);
    for (const visit of [await hers.get(path), await hers.post(path, { ...open, because: BECAUSE })])
      expect(visit.location).toContain('/dashboard/confirm?to=');
    expect((await app.pool.query('SELECT 1 FROM payment_freeze')).rows).toEqual([]);
  });
});

async function eventuallyRows(text: string, value: string): Promise<{ rows: unknown[] }> {
  for (;;) {
    const { rows } = await app.pool.query(text, [value]);
    if (rows.length > 0) return { rows };
  }
}
