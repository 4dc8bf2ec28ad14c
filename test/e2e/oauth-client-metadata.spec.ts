import { ClientDocuments } from '../../src/access/oauth/application/client-documents.js';
import { OAuthCleanupJob } from '../../src/access/oauth/cleanup.job.js';
import { OAuthSettings } from '../../src/access/oauth/index.js';
import { readSettings } from '../../src/platform/config/index.js';
import { REFUSALS } from '../../src/platform/logging/refusal-log.js';
import { Clock } from '../../src/platform/kernel/clock.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { DocumentHost, type HostAnswer } from '../support/document-host.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { post, type HttpAnswer } from '../support/http.js';
import { boxesOf, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';

const LISTED = 'agents.example.test';
const BUSY = 'busy.example.test';
const ONE_DOCUMENT = 'https://one.example.test/app.json';
const ENV = {
  CLIENT_METADATA: 'review',
  CLIENT_METADATA_ALLOWED: `${LISTED},${BUSY},${ONE_DOCUMENT}`,
  EGRESS_ALLOW: '10.255.255.0/24',
  THROTTLE_TOKEN_ADDRESS: '10000/60',
};

let server: TestApp;
let host: DocumentHost;
let fixture: Fixture;
let alice: Person;
let operator: OperatorCommand;
let aheadMs = 0;
let names = 0;

beforeAll(async () => {
  server = await createTestApp({ env: ENV, settings: { RateLimitSettings: { clientDocument: '1000/60', clientDocumentHost: '100/60' } } });
  host = await DocumentHost.open(server);
  fixture = new Fixture(server);
  alice = await fixture.user();
  operator = new OperatorCommand(server);
  const clock = server.get(Clock);
  const elapsed = clock.elapsed.bind(clock);
  jest.spyOn(clock, 'elapsed').mockImplementation(() => elapsed() + aheadMs);
  jest.replaceProperty(REFUSALS, 'everyMs', 0);
});
afterAll(async () => {
  await host?.close();
  await server?.close();
});

const later = (seconds: number): unknown => (aheadMs += seconds * 1_000);
const newUrl = (of = LISTED): string => `https://${of}/${++names}/app.json`;
const rowsOf = async (url: string): Promise<unknown[]> =>
  (await server.pool.query('SELECT id FROM oauth_application WHERE id = $1 UNION ALL SELECT id FROM oauth_client WHERE id = $1', [url]))
    .rows;
const begin = (app: OAuthApp, more: Readonly<Record<string, string>> = {}, browser = new BrowserSession(server.url)): Promise<Visit> =>
  browser.get(app.authorizeUrl(more));
const consentPage = async (
  app: OAuthApp,
  more: Readonly<Record<string, string>> = {},
  browser = new BrowserSession(server.url),
): Promise<Visit> => app.consentPage(alice, await begin(app, more, browser), browser);
const signedIn = async (): Promise<BrowserSession> => {
  const browser = new BrowserSession(server.url);
  await browser.submit(await browser.get('/login'), { email: alice.email, password: PASSWORD });
  return browser;
};
const isAsked = async (app: OAuthApp, more: Readonly<Record<string, string>> = {}): Promise<boolean> =>
  (await begin(app, more)).location.includes('/login?login_challenge=');
const me = (token: string): Promise<HttpAnswer> =>
  post(`${server.url}/graphql`, { query: '{ me { username } }' }, { authorization: `Bearer ${token}` });
const lastRefusal = (): Record<string, string> =>
  server.logs.map((line) => JSON.parse(line) as Record<string, string>).findLast(({ event }) => event === 'oauth_request_refused') ?? {};

/** What the person sees of an app that the server does not know, and what the operator reads. */
async function expectRefused(visit: Visit, cause: string | RegExp): Promise<void> {
  expect([visit.status, visit.location]).toEqual([400, '']);
  expect(visit.text).toContain('Its request was invalid.');
  expect(lastRefusal()['reason']).toMatch(cause);
}

describe('an app whose client_id is the address of its document', () => {
  it('gets a token that the person allows, uses it, refreshes it and revokes it', async () => {
    const app = host.publish(server, newUrl(), {
      client_name: 'Trip\u202e Planner (claude.example) ﹙a﹚❨b❩',
      contacts: ['unknown field'],
    });
    const browser = new BrowserSession(server.url);
    const page = await consentPage(app, { scope: 'openid read offline_access' }, browser);
    expect(page.text).toContain('<bdi>Trip Planner claude.example ab (agents.example.test)</bdi>');
    expect(page.text).toMatch(/Unregistered app\.<\/b>.*domain,\s+<b><bdi>agents\.example\.test<\/bdi><\/b>/s);
    expect(page.text).toContain(`<code><bdi>${app.client.id}</bdi></code>`);
    expect(page.text).not.toMatch(/Verified|runs on this device/);
    const { location } = await browser.submit(page, { decision: 'allow', scope: boxesOf(page) });
    const tokens = (await app.exchange(new URL(location).searchParams.get('code') ?? '')).body as Required<Tokens>;
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid read offline_access' });
    const { aud } = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString()) as { aud: unknown };
    expect([aud].flat()).toEqual([app.client.id]);
    expect((await me(tokens.access_token)).body).toEqual({ data: { me: { username: alice.username } } });
    const fresh = (await app.refresh(tokens.refresh_token)).body as Required<Tokens>;
    expect((await app.revoke(fresh.refresh_token)).status).toBe(200);
    expect((await me(fresh.access_token)).status).toBe(401);
  });

  it('is a connected app with its host, on pages and in notices, until the person disconnects it', async () => {
    const [app, browser] = [host.publish(server, newUrl()), new BrowserSession(server.url)];
    const { access_token: token } = await app.connect(alice, {}, browser);
    const path = `/dashboard/apps/${encodeURIComponent(app.client.id)}`;
    for (const page of ['/dashboard/apps', path, `${path}/disconnect`, '/dashboard/activity'])
      expect((await browser.get(page)).text).toContain('Agent (agents.example.test)');
    await browser.post(`${path}/disconnect`, hiddenFields(await browser.get(`${path}/disconnect`)));
    expect((await me(token)).status).toBe(401);
  });

  it('is asked each time, without prompt=none, and is never trusted', async () => {
    const [app, browser] = [host.publish(server, newUrl()), new BrowserSession(server.url)];
    await app.connect(alice, {}, browser);
    expect((await begin(app, {}, browser)).location).toContain('/consent?');
    expect(new URL((await begin(app, { prompt: 'none' }, browser)).location).searchParams.get('error')).toBe('consent_required');
    const { code_challenge: _pkce, ...bare } = Object.fromEntries(new URL(app.authorizeUrl(), server.url).searchParams);
    const without = await browser.get(`/oauth2/auth?${new URLSearchParams(bare).toString()}`);
    expect(new URL(without.location).searchParams.get('error')).toBe('invalid_request');
    const row = await server.pool.query('SELECT confidential, require_pkce, verified, trusted FROM oauth_client WHERE id = $1', [
      app.client.id,
    ]);
    expect(row.rows).toEqual([{ confidential: false, require_pkce: true, verified: false, trusted: false }]);
  });

  it('spends no more than its limit', async () => {
    const [app, browser, payer] = [host.publish(server, newUrl()), new BrowserSession(server.url), await fixture.user({ sats: 5_000 })];
    const page = await app.consentPage(payer, await begin(app, { scope: 'write' }, browser), browser);
    const { location } = await browser.submit(page, { decision: 'allow', limit: '1000', window: 'daily' });
    const { access_token: token } = (await app.exchange(new URL(location).searchParams.get('code') ?? '')).body as Tokens;
    const bob = await fixture.user();
    const pay = async (sats: number): Promise<unknown> => {
      const { paymentRequest } = await bob.invoice(sats);
      const query = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { message } } }';
      const input = { walletId: payer.wallets.BTC, paymentRequest };
      return (await dataOf<{ lnInvoicePaymentSend: unknown }>(server.url, query, { input }, { 'oauth2-token': token }))
        .lnInvoicePaymentSend;
    };
    expect(await pay(600)).toEqual({ status: 'SUCCESS', errors: [] });
    expect(await pay(600)).toMatchObject({ status: 'FAILURE', errors: [{ message: expect.stringContaining('limit') as string }] });
    expect(await pay(400)).toEqual({ status: 'SUCCESS', errors: [] });
    const notices = async (): Promise<string[]> => {
      const { rows } = await server.pool.query<{ kind: string; id: string }>(
        `SELECT kind, coalesce(details ->> 'clientId', details ->> 'id') AS id FROM notice WHERE user_id = $1 ORDER BY kind`,
        [payer.userId],
      );
      return rows.map(({ kind, id }) => `${kind} ${id}`);
    };
    const { id } = app.client;
    await eventually(async () => (await notices()).join() === [`app_connected ${id}`, `app_paid ${id}`, `budget_used ${id}`].join());
  });

  it('pushes its requests', async () => {
    const app = host.publish(server, newUrl());
    const { body, status } = await app.push();
    expect(status).toBe(201);
    expect((await new BrowserSession(server.url).get(app.pushedUrl((body as { request_uri: string }).request_uri))).location).toContain(
      '/login?',
    );
    const other = host.publish(server, newUrl(), { client_secret: 'secret' });
    expect((await other.push()).body).toMatchObject({ error: 'invalid_client' });
    expect(await rowsOf(other.client.id)).toEqual([]);
  });
});

describe('redirect URIs', () => {
  it.each([
    ['http://127.0.0.1/back', 'http://127.0.0.1:51234/back', true],
    ['http://[::1]:80/back', 'http://[::1]:51234/back', true],
    ['http://localhost:3000/back', 'http://localhost:51234/back', true],
    ['http://localhost:3000/back', 'http://127.0.0.1:3000/back', false],
    ['http://127.0.0.1/back', 'http://127.0.0.1/other', false],
    [`https://${LISTED}/back`, `https://${LISTED}:8443/back`, false],
  ])('of %s: %s may be asked for: %s', async (registered, asked, isAllowed) => {
    const [app, browser] = [host.publish(server, newUrl(), { redirect_uris: [registered] }), new BrowserSession(server.url)];
    if (!isAllowed) {
      const refused = await begin(app, { redirect_uri: asked });
      expect([refused.status, refused.location]).toEqual([400, '']);
      return;
    }
    const page = await consentPage(app, { redirect_uri: asked }, browser);
    expect(page.text).toMatch(/runs on this device<\/b>, at\s+<bdi>[^<]*:51234<\/bdi>/);
    const { location } = await browser.submit(page, { decision: 'allow' });
    expect(location.startsWith(`${asked}?code=`)).toBe(true);
    const code = new URL(location).searchParams.get('code') ?? '';
    // Exact at redemption: not the port of the document.
    expect((await app.exchange(code, { redirect_uri: registered })).body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('A-40: the document of an app', () => {
  const big = JSON.stringify({ more: 'x'.repeat(5_120) });
  it.each<[string, Readonly<Record<string, unknown>> | HostAnswer, RegExp]>([
    ['of another address', { client_id: `https://${LISTED}/other.json` }, /client_id is not its own address/],
    ['without client_id', { client_id: undefined }, /client_id is not/],
    ['with a secret', { client_secret: 'x' }, /client_secret/],
    ['with the end of a secret', { client_secret_expires_at: 0 }, /client_secret/],
    ['that authenticates by a secret', { token_endpoint_auth_method: 'client_secret_basic' }, /auth_method/],
    ['that authenticates by a key', { token_endpoint_auth_method: 'private_key_jwt' }, /auth_method/],
    ['with a name that is no text', { client_name: 7 }, /client_name/],
    ['without redirect_uris', { redirect_uris: null }, /redirect_uris/],
    ['with empty redirect_uris', { redirect_uris: [] }, /redirect_uris/],
    ['with too many', { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://${LISTED}/${n}`) }, /redirect_uris/],
    ...[
      'https://other.example.test/back',
      `https://sub.${LISTED}/back`,
      `https://${LISTED}:8443/back`,
      `http://${LISTED}/back`,
      `https://user@${LISTED}/back`,
      `https://${LISTED}/*`,
      `https://${LISTED}/back#fragment`,
      'com.example.agent:/back',
      'https://localhost/back',
      'http://localhost.example.test/back',
      'http://192.168.0.1/back',
      'javascript:alert(1)',
      7,
    ].map((uri): [string, Readonly<Record<string, unknown>>, RegExp] => [
      `that leads to ${uri}`,
      { redirect_uris: [`https://${LISTED}/callback`, uri] },
      /a redirect_uri is neither/,
    ]),
    ['that is a list', { body: '[]' }, /no JSON object/],
    ['that is no JSON', { body: '{' }, /no JSON object/],
    ['of another type', { body: '{}', headers: { 'content-type': 'text/html' } }, /content type/],
    ['that is missing', { body: '{}', status: 404 }, /status is 404/],
    ['that is elsewhere', { body: '{}', status: 302, headers: { location: `https://${LISTED}/elsewhere.json` } }, /status is 302/],
    ['of more than 5 KiB', { body: big }, /too_large/],
  ])('%s is refused', async (_what, given, cause) => {
    const app = host.publish(server, newUrl(), 'body' in given ? {} : given);
    if ('body' in given) host.answer(app.client.id, given as HostAnswer);
    await expectRefused(await begin(app, { redirect_uri: `https://${LISTED}/callback` }), cause);
    expect(lastRefusal()).toMatchObject({ document: app.client.id });
    expect(await rowsOf(app.client.id)).toEqual([]);
  });

  it.each([
    'http://agents.example.test/app.json',
    'https://agents.example.test',
    'https://AGENTS.example.test/app.json',
    'https://agents.example.test:443/app.json',
    'https://agents.example.test/a/../app.json',
    'https://agents.example.test/./app.json',
    'https://agents.example.test/%2e%2E/app.json',
    'https://agents.example.test/app.json#',
    'https://agents.example.test/\\app.json',
    'https://user@agents.example.test/app.json',
    'https://@agents.example.test/app.json',
    'https://192.0.2.1/app.json',
    'https://0x7f.1/app.json',
    'https://[2001:db8::1]/app.json',
    'https://agents.example.test/ä.json',
    `https://agents.example.test/${'a'.repeat(300)}`,
  ])('is not asked for at %s', async (url) => {
    const [app, before] = [host.publish(server, url), host.asked.length];
    await expectRefused(await begin(app), 'unknown client_id');
    expect((await app.token({ grant_type: 'authorization_code', code: 'x' })).body).toMatchObject({ error: 'invalid_client' });
    expect(host.asked).toHaveLength(before);
  });

  it.each(['https://localhost/app.json', 'https://localhost:5432/app.json'])('is not asked for inside: %s', async (url) => {
    await expectRefused(await begin(host.publish(server, url)), /not fetched: address_not_public/);
  });

  it('is fetched within 3 s and 5 KiB', async () => {
    const app = host.publish(server, newUrl());
    expect(await isAsked(app)).toBe(true);
    expect(host.requests.at(-1)).toEqual({
      method: 'GET',
      url: app.client.id,
      headers: { accept: 'application/json' },
      timeoutMs: 3_000,
      maxBytes: 5_120,
    });
  });

  it.each([
    [undefined, 60],
    ['max-age=1', 60],
    ['public, max-age=600', 600],
    ['max-age=600, no-store', 60],
    ['no-cache', 60],
    ['max-age=999999', 86_400],
  ])('with Cache-Control %s is fetched again after %d s', async (control, seconds) => {
    const app = host.publish(server, newUrl(), {}, control === undefined ? {} : { 'cache-control': control });
    const asked = (): number => host.asked.filter((url) => url === app.client.id).length;
    expect(await Promise.all([isAsked(app), isAsked(app), isAsked(app)])).toEqual([true, true, true]);
    later(seconds - 5);
    expect(await isAsked(app)).toBe(true);
    expect(asked()).toBe(1);
    later(10);
    expect(await isAsked(app)).toBe(true);
    expect(asked()).toBe(2);
  });

  it('that failed is left alone for 10 s', async () => {
    const app = host.publish(server, newUrl());
    host.answer(app.client.id, { status: 500, body: '' });
    await begin(app);
    host.publish(server, app.client.id);
    await expectRefused(await begin(app), /status is 500/);
    later(11);
    expect(await isAsked(app)).toBe(true);
  });
});

describe('A-41: apps that were not registered', () => {
  it('cost a host a limited number of requests, and leave no rows if they are not used', async () => {
    const [used, unused, suspended] = [BUSY, BUSY, BUSY].map(newUrl).map((url) => host.publish(server, url)) as [
      OAuthApp,
      OAuthApp,
      OAuthApp,
    ];
    await used.connect(alice);
    for (const app of [unused, suspended]) expect(await isAsked(app)).toBe(true);
    await operator.run('client', 'suspend', suspended.client.id, '--because', 'test');
    const decided = host.publish(server, newUrl());
    expect(await isAsked(decided)).toBe(true);
    await operator.run('client', 'profile', decided.client.id, '--require-dpop', '--because', 'test');
    later(61);
    const before = host.asked.length;
    const answers = [];
    for (let n = 0; n < 107; n++) answers.push((await begin(host.publish(server, newUrl(BUSY), { client_id: '' }))).status);
    expect([answers.filter((status) => status === 400).length, answers.filter((status) => status === 429).length]).toEqual([97, 10]);
    // One that was used before is asked for all the same.
    expect(await isAsked(used)).toBe(true);
    expect(host.asked).toHaveLength(before + 98);
    await server.pool.query(`UPDATE oauth_application SET updated_at = now() - interval '2 days' WHERE id LIKE 'https://%'`);
    await server.pool.query('DELETE FROM oauth_interaction');
    await server.get(OAuthCleanupJob).sweep();
    const rows = await Promise.all([used, unused, suspended, decided].map(({ client }) => rowsOf(client.id)));
    expect(rows.map(({ length }) => length)).toEqual([2, 0, 2, 2]);
  });

  it('are no rows before a person has signed in, where the operator reviews them, and few after it', async () => {
    const [app, browser] = [host.publish(server, newUrl('review.example.test')), await signedIn()];
    const refused = await begin(app);
    expect([refused.status, refused.location]).toEqual([400, '']);
    expect(refused.text).toContain('sign in here, and then try again from the app');
    expect((await app.push()).status).toBe(401);
    expect(await rowsOf(app.client.id)).toEqual([]);
    await begin(app, {}, browser);
    await server.pool.query(`INSERT INTO oauth_application (id, name, redirect_uris, scopes, grant_types, confidential, require_pkce, state)
      SELECT 'https://full.example.test/' || n, 'Agent', '{}', '{read}', '{}', false, true, 'waiting' FROM generate_series(1, 49) AS n`);
    await expectRefused(await begin(host.publish(server, newUrl('review.example.test')), {}, browser), /50 documents wait/);
    await server.pool.query(`DELETE FROM oauth_application WHERE id LIKE 'https://full.example.test/%'`);
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push((await begin(host.publish(server, newUrl('review.example.test')), {}, browser)).text);
    expect(answers.filter((text) => text.includes('isn’t active on this server yet'))).toHaveLength(9);
    expect(lastRefusal()['reason']).toMatch(/10 documents that this person has brought wait/);
    await server.pool.query(`UPDATE oauth_application SET submitted_at = now() - interval '31 days' WHERE state = 'waiting'`);
    await server.get(OAuthCleanupJob).sweep();
    expect(await rowsOf(app.client.id)).toEqual([]);
  });
});

describe('the operator', () => {
  it('allows hosts and documents exactly, or none', async () => {
    const modes = { off: [false, false, false], listed: [true, true, false] };
    for (const [mode, results] of Object.entries(modes)) {
      const settings = { CLIENT_METADATA: mode, allowedDocuments: [LISTED, ONE_DOCUMENT] };
      const replaced = jest.replaceProperty(server.get(ClientDocuments), 'settings' as never, settings as never);
      for (const [n, url] of [newUrl(), ONE_DOCUMENT, 'https://one.example.test/other.json'].entries()) {
        const visit = await begin(host.publish(server, url));
        if (results[n]) expect(visit.status).toBe(303);
        else await expectRefused(visit, /CLIENT_METADATA does not allow it/);
      }
      replaced.restore();
    }
  });

  it.each<[allowed: string, isValid: boolean]>([
    ['', true],
    ['agent.example,localhost:8443,https://tools.example/wallet/app.json', true],
    ['*.agent.example', false],
    ['https://agent.example/*', false],
    ['https://agent.example', false],
    ['http://agent.example/app.json', false],
    ['agent.example, tools.example', false],
    ['Agent.example', false],
    ['agent.example,', false],
  ])('names them as %j: %s', (allowed, isValid) => {
    const { problems } = readSettings([OAuthSettings], [], { CLIENT_METADATA_ALLOWED: allowed });
    expect(problems.length === 0).toBe(isValid);
  });

  it('publishes that such apps may be used, where one may', async () => {
    const published = async (settings: object): Promise<unknown> => {
      const replaced = jest.replaceProperty(server.get(ClientDocuments), 'settings' as never, settings as never);
      const answer = (await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>;
      replaced.restore();
      return answer['client_id_metadata_document_supported'];
    };
    expect(await published({ CLIENT_METADATA: 'off', allowedDocuments: [LISTED] })).toBeUndefined();
    expect(await published({ CLIENT_METADATA: 'listed', allowedDocuments: [] })).toBeUndefined();
    expect(await published({ CLIENT_METADATA: 'listed', allowedDocuments: [LISTED] })).toBe(true);
    expect(await published({ CLIENT_METADATA: 'review', allowedDocuments: [] })).toBe(true);
  });

  it('approves a document that is not listed, and each change of it, with the scopes that it chooses', async () => {
    const [app, browser] = [host.publish(server, newUrl('review.example.test')), await signedIn()];
    const { id } = app.client;
    const visit = (): Promise<Visit> => begin(app, { scope: 'read offline' }, browser);
    for (let n = 0; n < 2; n++) expect((await visit()).text).toContain('isn’t active on this server yet');
    expect(await operator.run('client', 'list', '--waiting')).toContain(`${id}  waiting  public  Agent (review.example.test)`);
    expect(await operator.run('client', 'show', id)).toContain('version 1, of its document');
    await expect(operator.run('client', 'approve', id, '--because', 'known')).rejects.toThrow('then decide with --seen 1');
    await operator.run('client', 'approve', id, '--because', 'known', '--seen', '1', '--without-scope', 'write');
    await expect(operator.run('client', 'update', id, '--name', 'Mine')).rejects.toThrow('it is changed there');
    const { access_token: token, refresh_token: refresh = '' } = await app.connect(alice, { scope: 'read offline' }, browser);
    expect(new URL((await begin(app, { scope: 'write' }, browser)).location).searchParams.get('error')).toBe('invalid_scope');

    const changed = host.publish(server, id, { redirect_uris: ['https://review.example.test/new'] });
    later(61);
    expect((await begin(changed, {}, browser)).text).toContain('isn’t active on this server yet');
    expect((await visit()).status).toBe(400);
    expect((await me(token)).status).toBe(200);
    expect((await app.refresh(refresh)).status).toBe(200);
    expect(await operator.run('client', 'show', id)).toContain('callback URLs, new: https://review.example.test/new');
    await operator.run('client', 'refuse', id, '--because', 'no', '--seen', '2');
    expect(await begin(changed, {}, browser)).toMatchObject({
      status: 400,
      text: expect.stringContaining('Its request was invalid.') as string,
    });
    host.publish(server, id, { redirect_uris: ['https://review.example.test/newer'] });
    later(61);
    await begin(changed, {}, browser);
    await operator.run('client', 'approve', id, '--because', 'known', '--seen', '3', '--verified');
    const verified = await consentPage(changed, { redirect_uri: 'https://review.example.test/newer' });
    expect(verified.text).toMatch(/Unregistered app.*has verified its developer/s);
    expect((await begin(changed, { redirect_uri: 'https://review.example.test/newer' }, browser)).location).toContain('/consent?');
  });

  it('approves an app anew that was on the list, where it reviews the others', async () => {
    const [app, browser] = [host.publish(server, newUrl()), await signedIn()];
    const { access_token: token } = await app.connect(alice, {}, browser);
    const settings = { CLIENT_METADATA: 'review', allowedDocuments: [] };
    const replaced = jest.replaceProperty(server.get(ClientDocuments), 'settings' as never, settings as never);
    expect((await begin(app)).text).toContain('sign in here, and then try again from the app');
    for (let n = 0; n < 2; n++) expect((await begin(app, {}, browser)).text).toContain('isn’t active on this server yet');
    expect((await me(token)).status).toBe(200);
    await operator.run('client', 'approve', app.client.id, '--seen', '2', '--because', 'known');
    expect((await begin(app, {}, browser)).location).toContain('/consent?');
    replaced.restore();
  });

  it('approves a change once, also where another process has kept the document of before', async () => {
    const app = host.publish(server, newUrl(), {}, { 'cache-control': 'max-age=86400' });
    const [callback, changed] = [`https://${LISTED}/callback`, `https://${LISTED}/changed`];
    expect(await isAsked(app)).toBe(true);
    host.publish(server, app.client.id, { redirect_uris: [changed] });
    later(61);
    expect(await isAsked(app, { redirect_uri: callback })).toBe(true);
    for (const table of ['oauth_application', 'oauth_client'])
      await server.pool.query(`UPDATE ${table} SET redirect_uris = $2 WHERE id = $1`, [app.client.id, [changed]]);
    expect(await isAsked(app, { redirect_uri: changed })).toBe(true);
    await expectRefusedAddress(await begin(app, { redirect_uri: callback }));
  });

  it('suspends an app by its address, which ends its access, and changes of a listed document end nothing', async () => {
    const app = host.publish(server, newUrl());
    const { access_token: token, refresh_token: refresh = '' } = await app.connect(alice, { scope: 'read offline' });
    host.publish(server, app.client.id, { client_name: 'Other', redirect_uris: [`https://${LISTED}/new`] });
    later(61);
    await expectRefusedAddress(await begin(app));
    const page = await consentPage(app, { redirect_uri: `https://${LISTED}/new` });
    expect(page.text).toContain('<bdi>Other (agents.example.test)</bdi> is connected and asks again');
    host.answer(app.client.id, { status: 410, body: '' });
    later(61);
    await expectRefused(await begin(app), /status is 410/);
    expect((await app.refresh(refresh)).status).toBe(200);
    expect((await me(token)).status).toBe(200);
    await operator.run('client', 'suspend', app.client.id, '--because', 'test');
    expect((await me(token)).status).toBe(401);
    host.publish(server, app.client.id);
    later(61);
    expect((await begin(app)).text).toContain('suspended on this server');
    await operator.run('client', 'resume', app.client.id, '--because', 'test');
    expect(await isAsked(app)).toBe(true);
  });

  const expectRefusedAddress = async ({ status, text }: Visit): Promise<void> => {
    expect(status).toBe(400);
    expect(text).toContain('isn’t registered for this app');
  };
});
