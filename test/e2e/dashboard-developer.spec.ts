import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { CALLBACK, OAuthApp } from '../support/oauth-app.js';
import { ClientService } from '../../src/access/oauth/index.js';
import { OperatorCommand } from '../support/operator-command.js';
import type { LoggedAction } from '../../src/platform/operator-action/index.js';

let server: TestApp;
let sluice: OperatorCommand;
let developer: Person;
let browser: BrowserSession;

const signedIn = async ({ email }: Person): Promise<BrowserSession> => {
  const session = new BrowserSession(server.url);
  await session.submit(await session.get('/login'), { email, password: PASSWORD });
  return session;
};

beforeAll(async () => {
  server = await createTestApp();
  sluice = new OperatorCommand(server);
  developer = await new Fixture(server).user();
  browser = await signedIn(developer);
});
afterAll(() => server.close());

const LIST = '/dashboard/developer';
const PURPOSE = 'Counts what you have sold at the till.';
const filled = {
  name: 'Till',
  purpose: PURPOSE,
  homepage: '',
  redirectUris: CALLBACK,
  scope: ['read', 'write'],
  confidential: 'confidential',
};
const idIn = ({ location }: Visit): string => new URL(location).pathname.split('/')[3] ?? '';

async function apply(act = 'submit', more: object = {}, by = browser): Promise<string> {
  return idIn(await send(await by.get('/dashboard/developer/new'), LIST, { ...filled, ...more, act }, by));
}

const codeOf = (text: string, id: string): string => new RegExp(`<code id="${id}">([^<]*)</code>`).exec(text)?.[1] ?? '';

/** Sends the form of a page with this action. */
function send(page: Visit, action: string, fields: Fields = {}, by = browser): Promise<Visit> {
  const form = page.text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  return by.post(action, { csrf: /name="csrf" value="([^"]*)"/.exec(form)?.[1] ?? '', ...fields });
}

/** The same, and follows the redirect. */
async function press(page: Visit, action: string): Promise<Visit> {
  const answer = await send(page, action);
  return answer.location ? browser.get(answer.location) : answer;
}

const path = (id: string, below = ''): string => `/dashboard/developer/${id}${below}`;

describe('the walk of an app', () => {
  it('is applied for, tested, refused, edited, approved with a scope less, gets its secret, connects, is suspended and resumed', async () => {
    const id = await apply('draft');
    expect((await browser.get('/dashboard/developer')).text).toContain('Draft');
    const tested = await press(await browser.get(path(id)), path(id, '/test'));
    const testId = codeOf(tested.text, 'client-id');
    const test = await server.get(ClientService).find(testId);
    if (!test) throw new Error('There is no test client');
    const trial = new OAuthApp(server, test, codeOf(tested.text, 'client-secret'));
    expect((await trial.connect(developer, { scope: 'read' })).scope).toBe('read');

    expect((await press(await browser.get(path(id)), path(id, '/submit'))).text).toContain('Waiting for approval');
    await sluice.run('client', 'refuse', id, '--because', 'Say who you are.', '--seen', '2');
    expect((await browser.get(path(id))).text).toContain('Say who you are.');
    const edit = await browser.get(path(id, '/edit'));
    await send(edit, path(id), { ...filled, homepage: 'https://till.example.test/', act: 'submit' });
    await sluice.run('client', 'approve', id, '--because', 'known', '--seen', '3', '--without-scope', 'write');

    const page = await browser.get(path(id));
    expect(page.text).toContain('Approved');
    const shown = await press(page, path(id, '/secrets'));
    const [clientId, secret] = [codeOf(shown.text, 'client-id'), codeOf(shown.text, 'client-secret')];
    expect([clientId, secret]).toEqual([id, expect.stringMatching(/^sluice_cs_/)]);
    expect((await browser.get(path(id, '/credentials'))).text).not.toContain(secret);
    const client = await server.get(ClientService).find(id);
    if (!client) throw new Error('There is no client');
    expect(client.scopes).toEqual(['read']);
    const app = new OAuthApp(server, client, secret);
    const person = await new Fixture(server).user();
    const { access_token: token } = await app.connect(person, { scope: 'read' });
    await sluice.run('client', 'suspend', id, '--because', 'a complaint');
    expect((await app.userinfo(token)).status).toBe(401);
    expect((await browser.get(path(id))).text).toContain('The operator has suspended this app.');
    await sluice.run('client', 'resume', id, '--because', 'settled');
    expect((await app.userinfo(token)).status).toBe(200);

    const log = (await sluice.json<LoggedAction[]>('operator', 'log', '--subject', id)).reverse();
    expect(log.map(({ action }) => action)).toEqual([
      ...['client apply', 'client update', 'client refuse', 'client update', 'client approve'],
      ...['client secret add', 'client suspend', 'client resume'],
    ]);
    expect(log[0]?.who).toBe(`developer ${developer.username}`);
    const notices = (await browser.get('/dashboard/activity')).text.match(/is now \w+(?:\. Say who you are\.)?/g);
    expect(notices?.reverse()).toEqual(
      ['waiting', 'refused. Say who you are.', 'waiting', 'approved', 'suspended', 'approved'].map((state) => `is now ${state}`),
    );
  });
});

describe('/dashboard/developer', () => {
  it('says every fault at its field, keeps what was typed, and stores nothing', async () => {
    const wrong = { name: '', purpose: 'short', homepage: 'x', redirectUris: 'http://a.example/', scope: 'offline', act: 'submit' };
    const page = await send(await browser.get(`${LIST}/new`), LIST, wrong);
    expect([page.status, page.text.includes('<title>Error: ')]).toEqual([422, true]);
    for (const field of ['name', 'purpose', 'homepage', 'redirectUris', 'grantTypes']) expect(page.text).toContain(`<a href="#${field}">`);
    expect(page.text).toMatch(/>\s*short<\/textarea>/);
    const none = await send(page, LIST, { ...filled, scope: [], act: 'draft' });
    expect(none.text).toContain('<a href="#scopes">At least one scope is required.</a>');
    expect((await browser.get('/dashboard/developer')).text).not.toContain('http://a.example/');
  });

  it.each(['"><svg onload=1>', 'a\u202eb', 'x'.repeat(600), 'half \ud83d'])('a purpose of %j gives no server error', async (text) => {
    const page = await send(await browser.get(`${LIST}/new`), LIST, {
      ...filled,
      purpose: `${text} and more of it`,
      act: 'draft',
    });
    expect(page.status).toBeLessThan(500);
    expect(page.text).not.toContain('<svg onload');
  });

  it('shows nothing of another person’s app, and changes nothing of it', async () => {
    const [id, other] = [await apply(), await signedIn(await new Fixture(server).user())];
    const csrf = /name="csrf" value="([^"]*)"/.exec((await other.get('/dashboard/developer/new')).text)?.[1] ?? '';
    for (const below of ['', '/edit', '/credentials']) expect((await other.get(path(id, below))).status).toBe(404);
    for (const below of ['', '/submit', '/test', '/secrets', `/secrets/${developer.userId}/end`])
      expect((await other.post(path(id, below), { csrf, ...filled, name: 'Mine' })).status).toBe(404);
    expect((await other.get('/dashboard/developer')).text).not.toContain(id);
    expect((await browser.get(path(id))).text).not.toContain('Mine');
  });

  it('has no test credentials of an approved app, and two secrets at most, each ended on its page', async () => {
    const id = await apply();
    await sluice.run('client', 'approve', id, '--because', 'known', '--seen', '1');
    expect((await browser.get(path(id))).text).not.toContain('Test credentials');
    const first = codeOf((await press(await browser.get(path(id)), path(id, '/secrets'))).text, 'client-secret');
    await press(await browser.get(path(id)), path(id, '/secrets'));
    const full = await browser.get(path(id));
    expect(full.text).not.toContain('Create secret');
    const end = /href="(\/dashboard\/developer\/[^"]*\/end)"/.exec(full.text)?.[1] ?? '';
    await press(await browser.get(end), end);
    expect((await browser.get(path(id))).text).toContain('Create secret');
    const client = await server.get(ClientService).find(id);
    expect(client && (await new OAuthApp(server, client, first).token({})).status).toBe(401);
    expect((await browser.get(end)).status).toBe(404);
  });

  it('of a public app has no secret, and asks PKCE of it', async () => {
    const id = await apply('submit', { confidential: 'public', redirectUris: 'http://localhost/cb' });
    const tested = await press(await browser.get(path(id)), path(id, '/test'));
    expect([codeOf(tested.text, 'client-id'), codeOf(tested.text, 'client-secret')]).toEqual([expect.stringMatching(/^test_/), '']);
    await sluice.run('client', 'approve', id, '--because', 'known', '--seen', '1');
    const page = await browser.get(path(id));
    expect(page.text).toContain('Required, because a public app has no secret');
    expect(page.text).not.toContain('Create secret');
  });

  it('shows beside each other what is approved and what waits', async () => {
    const id = await apply();
    await sluice.run('client', 'approve', id, '--because', 'known', '--seen', '1');
    await send(await browser.get(path(id, '/edit')), path(id), { ...filled, name: 'Tills', act: 'submit' });
    const page = await browser.get(path(id));
    expect(page.text).toContain('Not approved yet');
    expect(page.text).toMatch(/Till<[\s\S]*Tills</);
    await send(await browser.get(path(id, '/edit')), path(id), { ...filled, act: 'submit' });
    expect((await browser.get(path(id))).text).not.toContain('Not approved yet');
  });
});
