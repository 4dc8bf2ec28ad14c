import { ApplicationLog } from '../../src/access/oauth/application/application-log.js';
import { ApplicationStore } from '../../src/access/oauth/application/application.store.js';
import {
  ApplicationCredentials,
  ApplicationEditor,
  ApplicationService,
  ClientService,
  OAuthSettings,
  type Application,
} from '../../src/access/oauth/index.js';
import { Database } from '../../src/platform/database/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { CALLBACK, newOAuthApp, OAuthApp, type Tokens } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';

let server: TestApp;
let applications: ApplicationService;
let editor: ApplicationEditor;
let sluice: OperatorCommand;
let developer: Person;
beforeAll(async () => {
  // Many wait for one row, and a pause of this process holds it.
  server = await createTestApp({ env: { DATABASE_LOCK_MS: '60000', DATABASE_STATEMENT_SECONDS: '120' } });
  applications = server.get(ApplicationService);
  editor = server.get(ApplicationEditor);
  sluice = new OperatorCommand(server);
});
// A person has at most twenty applications.
beforeEach(async () => {
  developer = await new Fixture(server).user();
});
afterAll(() => server.close());

const BY = { who: 'test' };
const PURPOSE = 'Counts what you have sold at the till.';
const wanted = { name: 'Till', purpose: PURPOSE, redirectUris: [CALLBACK], scopes: ['read', 'receive', 'write'] };

async function applied(submit = true, more: object = {}): Promise<Application> {
  const outcome = await editor.apply({ ...wanted, ...more }, { ownerId: developer.userId, submit }, BY);
  if (outcome.kind !== 'saved') throw new Error(`Not saved: ${JSON.stringify(outcome)}`);
  return found(outcome.id);
}

async function found(id: string): Promise<Application> {
  const application = await applications.find(id);
  if (!application) throw new Error('The application is not there');
  return application;
}

const change = (id: string, changed: Parameters<ApplicationEditor['change']>[1]): ReturnType<ApplicationEditor['change']> =>
  editor.change(id, changed, { ownerId: developer.userId, submit: true }, BY);

const approve = async (id: string): Promise<Application> => {
  const outcome = await applications.approve(id, { version: (await found(id)).version }, BY);
  if (outcome.kind !== 'decided') throw new Error(`Not approved: ${JSON.stringify(outcome)}`);
  return outcome.application;
};

describe('an application', () => {
  it('cannot be used before it is approved, and then as approved', async () => {
    const { id, state, client, changes } = await applied();
    expect([state, client]).toEqual(['waiting', null]);
    expect(changes).toContainEqual({ field: 'purpose', before: null, after: [PURPOSE] });
    expect(await applications.list({ state: 'waiting' })).toContainEqual(
      expect.objectContaining({ id, ownerUsername: developer.username }),
    );
    const unknown = await fetch(`${server.url}/oauth2/auth?client_id=${id}&redirect_uri=${CALLBACK}&response_type=code`, {
      redirect: 'manual',
    });
    expect(unknown.status).toBe(400);
    const decided = await applications.approve(id, { version: 1, withoutScopes: ['write'], verified: true }, BY);
    expect(decided).toMatchObject({
      kind: 'decided',
      application: {
        state: 'approved',
        changes: [],
        client: { purpose: PURPOSE, scopes: ['read', 'receive'], verified: true, requirePkce: false },
      },
    });
    expect(await applications.approve(id, { version: 1 }, BY)).toMatchObject({ kind: 'not_waiting' });
  });

  it('works as approved while a change waits, and changes with the approval', async () => {
    const { id } = await approve((await applied()).id);
    const elsewhere = 'https://till.example.test/new';
    expect(await change(id, { redirectUris: [elsewhere], name: 'Tills' })).toMatchObject({ kind: 'saved', state: 'waiting' });
    expect(await found(id)).toMatchObject({ client: { name: 'Till', redirectUris: [CALLBACK], state: 'approved' } });
    expect((await found(id)).changes).toEqual([
      { field: 'name', before: ['Till'], after: ['Tills'] },
      { field: 'redirectUris', before: [CALLBACK], after: [elsewhere] },
    ]);
    expect(await approve(id)).toMatchObject({ client: { name: 'Tills', redirectUris: [elsewhere] } });
  });

  it('loses at once what is removed, tokens too, and asks for no approval', async () => {
    const { id } = await approve((await applied(true, { redirectUris: [CALLBACK, 'https://till.example.test/old'] })).id);
    const secret = await sluice.json<{ client_secret: string }>('client', 'secret', 'add', id);
    const { client } = await found(id);
    if (!client) throw new Error('There is no client');
    const token = (await new OAuthApp(server, client, secret.client_secret).connect(developer, { scope: 'read write' })).access_token;
    const scopes = async (): Promise<unknown> =>
      (await graphql(server.url, '{ authorization { scopes } }', {}, { 'oauth2-token': token })).data?.authorization.scopes;
    expect(await scopes()).toEqual(['READ', 'WRITE']);
    expect(await change(id, { redirectUris: [CALLBACK], scopes: ['read', 'receive'] })).toMatchObject({ state: 'approved' });
    expect(await found(id)).toMatchObject({ changes: [], client: { redirectUris: [CALLBACK], scopes: ['read', 'receive'] } });
    await eventually(async () => JSON.stringify(await scopes()) === '["READ"]');
  });

  it('takes back a change that waits by what was approved', async () => {
    const { id } = await approve((await applied()).id);
    await change(id, { name: 'Tills' });
    expect(await change(id, { name: 'Till' })).toMatchObject({ state: 'approved' });
    expect(await applications.list({ state: 'waiting' })).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('keeps its type once it is approved', async () => {
    const { id } = await approve((await applied()).id);
    expect(await change(id, { confidential: false, requirePkce: true })).toEqual({
      kind: 'invalid',
      faults: [{ field: 'confidential', text: expect.stringMatching(/type/) }],
    });
  });

  it('attack: a name that moves the cursor of the operator’s terminal, and a homepage that begins like a bank', async () => {
    const { id } = await applied(true, { name: 'Till \u001b[2J\u009b1A\u202egood' });
    for (const command of [['list'], ['show', id]]) expect(await sluice.run('client', ...command)).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(await change(id, { homepage: 'https://bank.example.test@evil.example.test/' })).toMatchObject({
      kind: 'invalid',
      faults: [{ field: 'homepage' }],
    });
  });

  it('is refused with a reason, and asks again when it is edited', async () => {
    const { id } = await applied();
    expect(await applications.refuse(id, { version: 1, reason: ' ' }, BY)).toMatchObject({ kind: 'invalid' });
    expect(await applications.refuse(id, { version: 1, reason: 'Say who you are.' }, BY)).toMatchObject({
      application: { state: 'refused', reason: 'Say who you are.' },
    });
    expect(await change(id, { homepage: 'https://till.example.test/' })).toMatchObject({ state: 'waiting' });
    expect(await found(id)).toMatchObject({ reason: null, version: 2 });
  });

  it('may ask PKCE of a confidential client, and the operator may too', async () => {
    const { id } = await applied();
    expect(await applications.approve(id, { version: 1, requirePkce: true }, BY)).toMatchObject({
      application: { changes: [], client: { requirePkce: true } },
    });
  });

  it('has grants that stay while more is asked for: the person is asked again only for more', async () => {
    const { id } = await approve((await applied(true, { scopes: ['read'] })).id);
    const { client_secret: secret } = await sluice.json<{ client_secret: string }>('client', 'secret', 'add', id);
    const connected = async (): Promise<OAuthApp> => {
      const { client } = await found(id);
      if (!client) throw new Error('There is no client');
      return new OAuthApp(server, client, secret);
    };
    const browser = new BrowserSession(server.url);
    const { access_token: token } = await (await connected()).connect(developer, { scope: 'read' }, browser);
    await change(id, { scopes: ['read', 'receive'], name: 'Tills' });
    await approve(id);
    const app = await connected();
    expect((await app.userinfo(token)).status).toBe(200);
    expect((await browser.get(app.authorizeUrl({ scope: 'read' }))).location).toContain(`${CALLBACK}?code=`);
    expect((await browser.get(app.authorizeUrl({ scope: 'read receive' }))).location).toContain('/consent?');
  });
});

it('an app that an earlier version registered and did not approve waits, and is approved with the secret that it has', async () => {
  const shop = await newOAuthApp(server);
  await server.pool.query(`UPDATE oauth_client SET state = 'pending' WHERE id = $1`, [shop.client.id]);
  await server.pool.query(`UPDATE oauth_application SET state = 'waiting' WHERE id = $1`, [shop.client.id]);
  expect((await shop.token({})).status).toBe(401);
  expect((await found(shop.client.id)).client).toBeNull();
  await sluice.run('client', 'approve', shop.client.id, '--because', 'checked');
  expect((await shop.token({})).status).toBe(400);
});

it('the consent page says what the app is for, its domain, and that the operator has verified it', async () => {
  const app = await newOAuthApp(server, { purpose: PURPOSE, verified: true });
  const browser = new BrowserSession(server.url);
  const { text } = await app.consentPage(developer, await browser.get(app.authorizeUrl({ scope: 'read offline' })), browser);
  for (const said of [PURPOSE, 'Verified by the operator.', '<b><bdi>app.example.test</bdi></b>', '<dt>Expires</dt>'])
    expect(text).toContain(said);
  expect(text).not.toContain('Test mode');
});

describe('two tabs and two people on one application', () => {
  it('an approval is of the version that the operator has seen: a callback that changed meanwhile is not approved', async () => {
    const { id, version } = await applied();
    await change(id, { redirectUris: ['https://evil.example.test/callback'] });
    expect(await applications.approve(id, { version }, BY)).toMatchObject({ kind: 'changed', application: { version: version + 1 } });
    expect(await applications.refuse(id, { version, reason: 'no' }, BY)).toMatchObject({ kind: 'changed' });
    await expect(sluice.run('client', 'approve', id, '--because', 'x')).rejects.toThrow(`--seen ${version + 1}`);
    await expect(sluice.run('client', 'approve', id, '--because', 'x', '--seen', String(version))).rejects.toThrow('It has changed');
    expect((await found(id)).client).toBeNull();
  });

  it('of two decisions at once one counts', async () => {
    const { id, version } = await applied();
    const outcomes = await Promise.all([
      applications.approve(id, { version }, BY),
      applications.refuse(id, { version, reason: 'no' }, BY),
      applications.approve(id, { version }, BY),
    ]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['decided', 'not_waiting', 'not_waiting']);
  });

  it('an edit beside an approval never reaches the client', async () => {
    const { id, version } = await applied();
    await Promise.all([applications.approve(id, { version }, BY), change(id, { redirectUris: ['https://evil.example.test/'] })]);
    const { client, state } = await found(id);
    expect(client?.redirectUris ?? [CALLBACK]).toEqual([CALLBACK]);
    expect(state).toBe('waiting');
  });

  it('an application of another person is neither seen nor changed', async () => {
    const [{ id }, stranger] = [await applied(), await new Fixture(server).user()];
    expect(await applications.find(id, stranger.userId)).toBeNull();
    const options = { ownerId: stranger.userId, submit: true };
    expect(await editor.change(id, { name: 'Mine' }, options, BY)).toEqual({ kind: 'not_found' });
    expect(await found(id)).toMatchObject({ name: 'Till', version: 1 });
  });

  it('a person has at most twenty, also when many are applied for at once', async () => {
    const { userId: ownerId } = await new Fixture(server).user();
    const outcomes = await Promise.all(Array.from({ length: 24 }, () => editor.apply(wanted, { ownerId, submit: false }, BY)));
    expect(outcomes.filter(({ kind }) => kind === 'saved')).toHaveLength(20);
    expect(outcomes.filter(({ kind }) => kind === 'too_many')).toHaveLength(4);
  });
});

describe('test credentials', () => {
  const test = async (id: string, owner = developer): Promise<OAuthApp> => {
    const outcome = await server.get(ApplicationCredentials).createTest(id, owner.userId);
    if (outcome.kind !== 'created') throw new Error(`No test credentials: ${outcome.kind}`);
    const client = await server.get(ClientService).find(outcome.clientId);
    if (!client) throw new Error('There is no test client');
    return new OAuthApp(server, client, outcome.secret ?? '');
  };
  const offline = { scopes: ['read', 'offline'] };

  it('work for the developer’s account, say so on the consent page, and end with the approval', async () => {
    const { id } = await applied(false, offline);
    const app = await test(id);
    expect(app.client.id).toMatch(/^test_/);
    const browser = new BrowserSession(server.url);
    const page = await app.consentPage(developer, await browser.get(app.authorizeUrl({ scope: 'read offline' })), browser);
    expect(page.text).toContain('<b>Test mode.</b>');
    expect(page.text).toContain(PURPOSE);
    const tokens = await app.connect(developer, { scope: 'read offline' }, browser);
    const refreshed = (await app.refresh(tokens.refresh_token ?? '')).body as Tokens;
    expect((await app.userinfo(refreshed.access_token)).status).toBe(200);
    await change(id, {});
    await approve(id);
    await eventually(async () => (await app.userinfo(refreshed.access_token)).status === 401);
    expect((await app.refresh(refreshed.refresh_token ?? '')).status).toBe(401);
    expect((await browser.get(app.authorizeUrl())).status).toBe(400);
    expect(await server.get(ApplicationCredentials).createTest(id, developer.userId)).toEqual({ kind: 'approved' });
  });

  it('used by another account end on a page that says so, with nothing granted; the developer can still answer there', async () => {
    const [{ id }, stranger] = [await applied(), await new Fixture(server).user()];
    const [app, browser] = [await test(id), new BrowserSession(server.url)];
    const page = await app.consentPage(stranger, await browser.get(app.authorizeUrl()), browser);
    expect([page.status, page.text.includes('in test mode: only the account of its developer')]).toEqual([400, true]);
    expect(page.text).not.toContain('value="allow"');
    const forged = await browser.post(new URL(page.url).pathname + new URL(page.url).search, { decision: 'allow', scope: ['read'] });
    expect([forged.status, forged.location]).toEqual([400, '']);
    const application = { id, testClientId: app.client.id };
    expect(await server.get(ApplicationCredentials).refusals(application)).toMatchObject([
      { operation: '/oauth2/auth', outcome: 'test_account' },
    ]);
    const silent = await browser.get(app.authorizeUrl({ prompt: 'none' }));
    expect(silent.location).toContain('error=consent_required');
    const { rows } = await server.pool.query('SELECT FROM oauth_grant WHERE client_id = $1', [app.client.id]);
    expect(rows).toEqual([]);
    const switched = /href="([^"]*switch[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const account = { email: developer.email, password: PASSWORD };
    const signIn = await browser.get(switched);
    const asked = await browser.signInOnTheWay(signIn.location ? signIn : await browser.submit(signIn, account), account);
    expect(asked.text).toContain('<b>Test mode.</b>');
  });

  it('are of the draft as it is now, and a new secret ends the one before', async () => {
    const { id } = await applied();
    const app = await test(id);
    await change(id, { redirectUris: ['https://till.example.test/new'], scopes: ['read'] });
    expect(await server.get(ClientService).find(app.client.id)).toMatchObject({
      redirectUris: ['https://till.example.test/new'],
      scopes: ['read'],
      state: 'test',
    });
    const again = await test(id);
    expect([again.client.id, (await app.token({})).status, (await again.token({})).status]).toEqual([app.client.id, 401, 400]);
  });

  it('are of no other person, nothing that the operator suspends or resumes, and end where test mode is turned off', async () => {
    const [{ id }, stranger] = [await applied(), await new Fixture(server).user()];
    expect(await server.get(ApplicationCredentials).createTest(id, stranger.userId)).toEqual({ kind: 'not_found' });
    const app = await test(id);
    expect([await applications.suspend(app.client.id, BY), await applications.resume(app.client.id, BY)]).toEqual([null, null]);
    const [store, settings] = [server.get(ApplicationStore), Object.assign(new OAuthSettings(), { APP_TEST_MODE: false })];
    const off = new ApplicationCredentials(store, server.get(ClientService), server.get(ApplicationLog), settings, server.get(Database));
    await off.onModuleInit();
    expect(await off.createTest(id, developer.userId)).toEqual({ kind: 'off' });
    expect((await app.token({})).status).toBe(401);
  });
});

describe('the commands', () => {
  it('apply, show, update, approve with a scope less, and end a secret', async () => {
    const words = ['--name', 'Bar', '--redirect-uri', CALLBACK, '--scope', 'read write', '--purpose', PURPOSE];
    const { id } = await sluice.json<{ id: string }>('client', 'apply', ...words, '--owner', developer.email);
    expect(await sluice.json('client', 'list', '--waiting')).toContainEqual(expect.objectContaining({ id, status: 'waiting' }));
    expect(await sluice.run('client', 'show', id)).toContain(`version 1, of ${developer.username} <${developer.email}>`);
    await sluice.run('client', 'update', id, '--homepage', 'https://bar.example.test/', '--grant-type', 'authorization_code refresh_token');
    const shown = await sluice.run('client', 'approve', id, '--because', 'x', '--seen', '2', '--without-scope', 'write');
    expect(shown).toContain('Nothing differs from the approved version.');
    expect(await found(id)).toMatchObject({ scopes: ['read'], client: { scopes: ['read'], homepage: 'https://bar.example.test/' } });
    await expect(sluice.run('client', 'approve', 'none', '--because', 'x')).rejects.toThrow('No app with the id none');
    await expect(sluice.run('client', 'update', id)).rejects.toThrow('Name what changes');
    await expect(sluice.run('client', 'secret', 'end', id, developer.userId)).rejects.toThrow('no such secret');
  });

  it('suspend and resume: what still lives works again', async () => {
    const shop = await newOAuthApp(server);
    const { access_token: token } = await shop.connect(developer, { scope: 'read' });
    await sluice.run('client', 'suspend', shop.client.id, '--because', 'a complaint');
    expect((await shop.userinfo(token)).status).toBe(401);
    expect(await sluice.json('client', 'show', shop.client.id)).toMatchObject({ status: 'suspended' });
    expect(await sluice.json('client', 'resume', shop.client.id, '--because', 'settled')).toMatchObject({ status: 'approved' });
    expect((await shop.userinfo(token)).status).toBe(200);
  });
});
