import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { Examples } from '../readme/examples.js';
import { boxesOf, CALLBACK, OAuthApp } from '../support/oauth-app.js';
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
const PAUSE = '/dashboard/security/pause';
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
  let examples: Examples;
  afterAll(() => examples.close());

  /** The README's app, as the person's browser meets it. @returns what it says at the end of the way, or the consent page */
  async function visit(by: BrowserSession, person: Person): Promise<Visit> {
    const asked = await fetch(`http://localhost:${examples.appPort}/`, { redirect: 'manual' });
    const page = await by.signInOnTheWay(await by.get(asked.headers.get('location') ?? ''), { email: person.email, password: PASSWORD });
    return page.location ? answerOf(page) : page;
  }
  const answerOf = ({ location }: Visit): Promise<Visit> => new BrowserSession(location).get(location);

  it('goes from its application to its suspension, through pages and commands, and each act is written down', async () => {
    examples = new Examples({ port: new URL(server.url).port, dataDir: server.sluice.config.dataDir, variables: {} });
    examples.appPort = await freePort();
    const asks = { ...filled, redirectUris: `http://localhost:${examples.appPort}/callback`, scope: ['read', 'write', 'offline'] };
    const wanted = { ...asks, grantTypes: 'refresh_token', act: 'submit' };

    // The developer applies, and tests with the own account.
    const id = await apply('draft', wanted);
    expect((await browser.get('/dashboard/developer')).text).toContain('Draft');
    const tested = await press(await browser.get(path(id)), path(id, '/test'));
    const test = await server.get(ClientService).find(codeOf(tested.text, 'client-id'));
    if (!test) throw new Error('There is no test client');
    const trial = new OAuthApp(server, test, codeOf(tested.text, 'client-secret'));
    expect((await trial.connect(developer, { scope: 'read' })).scope).toBe('read');

    // The operator refuses with a reason; the developer edits; the operator approves with one scope less.
    const olga = await new Fixture(server).user({ username: 'olga' });
    await sluice.run('operator', 'add', 'olga', '--because', 'new here');
    const operator = await signedIn(olga);
    const act = async (command: string, fields: Fields): Promise<void> => {
      const form = await operator.get(`/operator/act/${command}?row=${id}`);
      const done = await operator.post(`/operator/act/${command}`, {
        ...hiddenFields(form),
        'argument-1': id,
        because: 'known',
        ...fields,
      });
      expect([command, done.status]).toEqual([command, 303]);
    };
    expect((await press(await browser.get(path(id)), path(id, '/submit'))).text).toContain('Waiting for approval');
    expect((await operator.get(`/operator/act/client_refuse?row=${id}`)).text).toContain('the reason, for its developer and for the log');
    const reason = 'Say who you are, where your shop is, what it sells, and whom its customers ask if a payment went wrong.';
    await act('client_refuse', { because: reason, seen: '2' });
    expect((await browser.get(path(id))).text).toContain(reason);
    expect((await operator.get('/operator/log')).text).toContain(reason);
    await send(await browser.get(path(id, '/edit')), path(id), { ...wanted, homepage: 'https://till.example.test/' });
    expect((await operator.get('/operator/applications')).text).toContain('Till');
    await act('client_approve', { seen: '3', 'without-scope': 'write' });

    // The developer takes the secret, and runs the README's app with it.
    const page = await browser.get(path(id));
    expect(page.text).toContain('Approved');
    expect((await browser.get('/dashboard/activity')).text).toContain('Without write.');
    const shown = await press(page, path(id, '/secrets'));
    const secret = codeOf(shown.text, 'client-secret');
    expect([codeOf(shown.text, 'client-id'), secret]).toEqual([id, expect.stringMatching(/^sluice_cs_/)]);
    expect((await browser.get(path(id, '/credentials'))).text).not.toContain(secret);
    writeFileSync(join(server.sluice.config.dataDir, 'demo.json'), JSON.stringify({ url: server.url, oauthClient: {} }));
    const app = examples.launch('An app that acts for people', [], { CLIENT_ID: id, CLIENT_SECRET: secret });
    await app.prints(/Open/);

    // A person consents, sees the app, pauses, resumes and disconnects.
    const [person, hers] = [await new Fixture(server).user({ sats: 21 }), new BrowserSession(server.url)];
    const asked = await visit(hers, person);
    for (const said of ['Till', PURPOSE, 'till.example.test']) expect(asked.text).toContain(said);
    expect(boxesOf(asked)).not.toContain('write');
    const answer = await answerOf(await hers.submit(asked, { decision: 'allow', scope: boxesOf(asked) }));
    expect(answer.text).toContain('"balance":21');
    const detail = `/dashboard/apps/${id}`;
    expect((await hers.get('/dashboard/apps')).text).toContain(`href="${detail}"`);
    const access = async (how: string): Promise<Visit> => hers.post(PAUSE, { ...hiddenFields(await hers.get(PAUSE)), access: how });
    await access('pause');
    expect((await visit(hers, person)).text).not.toContain('"balance"');
    await access('resume');
    expect((await visit(hers, person)).text).toContain('"balance":21');
    await send(await hers.get(`${detail}/disconnect`), `${detail}/disconnect`, {}, hers);
    expect((await hers.get('/dashboard/apps')).text).not.toContain(`href="${detail}"`);
    const anew = await visit(hers, person);
    expect(anew.text).toContain('value="allow"');

    // The operator suspends the app.
    await act('client_suspend', { because: 'a complaint' });
    expect(await visit(hers, person)).toMatchObject({ status: 400 });
    expect((await browser.get(path(id))).text).toContain('The operator has suspended this app.');

    const log = (await sluice.json<LoggedAction[]>('operator', 'log', '--subject', id)).reverse();
    expect(log.map(({ who, action }) => `${who}: ${action}`)).toEqual([
      ...['apply', 'update'].map((act) => `developer ${developer.username}: client ${act}`),
      'olga: client refuse',
      `developer ${developer.username}: client update`,
      'olga: client approve',
      `developer ${developer.username}: client secret add`,
      'olga: client suspend',
    ]);
    const notices = (await browser.get('/dashboard/activity')).text.match(/is now [\w ]+(?:\. Say who you are)?/g);
    expect(notices?.reverse()).toEqual(
      ['waiting for approval', 'refused. Say who you are', 'waiting for approval', 'approved', 'suspended'].map(
        (state) => `is now ${state}`,
      ),
    );
    expect((await hers.get('/dashboard/activity')).text).toContain('You connected the app “Till”.');
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
    if (client) await browser.get(new OAuthApp(server, client, first).authorizeUrl({ scope: 'read receive' }));
    expect((await browser.get(path(id))).text).toContain('A scope is not registered for your app');
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
