import { TOTP } from 'otpauth';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { ClientService } from '../../src/access/oauth/index.js';
import { InvitationService, UserService } from '../../src/access/user/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { linkIn, mailsAreSent, mailTo } from '../support/mailbox.js';
import { CALLBACK, newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';
import { RawSocket } from '../support/raw-socket.js';
import { hiddenFields, BrowserSession, type Fields, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The secrets, by name, that a table may hold because its work needs them. */
const MAY_HOLD: readonly (readonly [secret: RegExp, table: RegExp])[] = [[/^preimage /, /^(public\.invoice|simulator\.)/]];

let server: TestApp;
let fixture: Fixture;
let alice: Person;
let shop: OAuthApp;
const secrets = new Map<string, string>();
const pages: Visit[] = [];
/** The bodies of all refusals. */
const refusals: string[] = [];
const plantedLines: string[] = [];

const note = (name: string, secret: string): string => {
  if (secret.length < 8) throw new Error(`${name} is no secret: ${JSON.stringify(secret)}`);
  secrets.set(name, secret);
  return secret;
};

/** A browser whose pages, cookies and hidden fields are all kept for the search. */
class Watched extends BrowserSession {
  constructor(private readonly name: string) {
    super(server.url);
  }

  override async get(...asked: Parameters<BrowserSession['get']>): Promise<Visit> {
    return this.watched(await super.get(...asked));
  }

  override async post(...asked: Parameters<BrowserSession['post']>): Promise<Visit> {
    return this.watched(await super.post(...asked));
  }

  private watched(visit: Visit): Visit {
    if (visit.status >= 400) refusals.push(visit.text);
    pages.push(visit);
    for (const [name, value] of this.cookies) if (value.length >= 8) note(`${this.name}: cookie ${name} ${value.slice(0, 4)}`, value);
    const challenge = /_challenge=([\w-]{43})/.exec(visit.location)?.[1];
    if (challenge !== undefined) note(`${this.name}: challenge ${challenge.slice(0, 4)}`, challenge);
    const csrf = visit.text.includes('<form') ? hiddenFields(visit)['csrf'] : undefined;
    if (csrf) note(`${this.name}: csrf ${csrf.slice(-6)}`, csrf);
    return visit;
  }
}

const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init });
  const text = await response.clone().text();
  if (response.status >= 400) refusals.push(text);
  return response;
};

async function people(): Promise<void> {
  const browser = new Watched('registering');
  const email = 'zoe@example.test';
  const password = note('password of zoe', 'a password that zoe chose');
  const form = await browser.get('/register');
  await browser.submit(form, { email, username: 'zoe_zoe', password: note('password too short', 'tooshort') });
  await browser.submit(form, { email, username: 'zoe_zoe', password });
  await browser.submit(form, { email, username: 'zoe_two', password: note('password for a known address', 'another password of zoe') });
  await browser.submit(await browser.get('/login'), { email, password: note('wrong password', 'not the password of zoe') });
  await browser.submit(await browser.get('/login'), { email, password });
  await browser.post('/login', { email, password, csrf: 'wrong' });
  const login = (body: object): Promise<Response> =>
    ask('/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await login({ email, password: note('wrong password of a script', 'not the password') });
  await login({ email: [password], password });
  const { result } = (await (await login({ email, password })).json()) as { result: { authToken: string } };
  note('session token of a script', result.authToken);
  const made = await browser.post('/dashboard/keys', {
    ...hiddenFields(await browser.get('/dashboard/keys/new')),
    name: 'from the page',
    scope: 'read',
    expires: 'never',
  });
  const shown = await browser.get(made.location);
  note('key of the page', /id="[^"]*">(sluice_[0-9A-Za-z]{49})</.exec(shown.text)?.[1] ?? '');
  pages.splice(pages.indexOf(shown), 1); // the one page that shows it
  await browser.get(made.location);
  await browser.get('/dashboard/keys');
  await browser.get('/dashboard');
  const invoice = await browser.post('/dashboard/receive', {
    ...hiddenFields(await browser.get('/dashboard')),
    amount: '5',
    unit: 'sats',
    memo: 'x',
  });
  if (invoice.location) await browser.get(invoice.location);
  await browser.submit(await browser.get('/logout'), {});
}

async function apps(): Promise<void> {
  note('client secret', shop.secret);
  note('basic credentials', shop.basic.slice('Basic '.length));
  note('verifier', shop.pkce.verifier);
  const browser = new Watched('consenting');
  const url = shop.authorizeUrl({
    scope: 'openid read write offline',
    state: note('state', 'a-state-that-is-a-secret'),
    nonce: note('nonce', 'a-nonce-that-is-one'),
  });
  const asked = await shop.consentPage(alice, await browser.get(url), browser);
  await browser.post(asked.url, { decision: 'allow', csrf: 'wrong' });
  const allowed = await browser.submit(asked, { decision: 'allow', scope: ['read', 'write', 'offline'] });
  const code = note('code', new URL(allowed.location).searchParams.get('code') ?? '');
  const noteTokens = (which: string, { body }: { body: Record<string, unknown> }): Record<string, string> => {
    for (const name of ['access_token', 'refresh_token', 'id_token']) note(`${name} ${which}`, String(body[name]));
    return body as Record<string, string>;
  };
  const first = noteTokens('first', await shop.exchange(code));
  const second = noteTokens('second', await shop.refresh(first['refresh_token'] ?? ''));
  await shop.refresh(first['refresh_token'] ?? '');
  await shop.userinfo(second['access_token'] ?? '');
  await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': second['access_token'] ?? '' });
  await useSocket({ 'Oauth2-Token': second['access_token'] });
  for (const answer of [
    await shop.exchange(code),
    await shop.refresh(`${second['refresh_token']}x`),
    await shop.exchange(note('invented code', `sluice_ac_${'x'.repeat(49)}`)),
    await shop.token(
      { grant_type: 'x' },
      { authorization: `Basic ${note('wrong basic credentials', btoa(`${shop.client.id}:a-wrong-client-secret`))}` },
    ),
    await shop.token(
      { grant_type: 'x', client_id: shop.client.id, client_secret: note('wrong client secret', 'one-more-wrong-secret') },
      {},
    ),
    await shop.userinfo(note('wrong access token', `sluice_at_${'y'.repeat(49)}`)),
  ])
    refusals.push(answer.text);
  await ask(`/userinfo?access_token=${second['access_token']}`);
  await ask(`/oauth2/token?client_secret=${shop.secret}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=b',
  });
  await ask('/oauth2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_secret: shop.secret }),
  });
  await browser.get(
    `/oauth2/auth?client_id=${shop.client.id}&redirect_uri=https://evil.example/&state=${secrets.get('state')}&code=${code}`,
  );
  await browser.get('/dashboard/apps');
  await shop.revoke(second['refresh_token'] ?? '');
}

async function useSocket(payload: Readonly<Record<string, unknown>>): Promise<void> {
  const raw = await RawSocket.open(server.url);
  raw.send({ type: 'connection_init', payload });
  const let_in = await raw.next().then(
    () => true,
    () => false,
  );
  if (let_in) raw.subscribe('1', 'subscription { myUpdates { errors { message } } nonsense }');
  if (let_in) await raw.next();
  refusals.push(...raw.texts, (await (raw.socket.close(), raw.closed)).reason);
}

async function credentials(): Promise<void> {
  for (const [name, key] of Object.entries(alice.keys)) note(`key ${name}`, key);
  const bad = {
    'x-api-key': note('wrong key', `sluice_${'z'.repeat(49)}`),
    'oauth2-token': note('wrong token', `sluice_at_${'w'.repeat(49)}`),
    authorization: `Bearer ${note('wrong session', `sluice_st_${'v'.repeat(49)}`)}`,
  };
  for (const [name, value] of Object.entries({ ...bad, ...alice.as('read') })) {
    await ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [name]: value },
      body: '{"query":"{ me { nonsense } }"}',
    });
    await ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [name]: value },
      body: `{"query":"{", "${value}`,
    });
    await ask(`/graphql?query=${encodeURIComponent('{ me { id } }')}&key=${value}`, { headers: { [name]: value } });
    await useSocket({ [name]: value });
  }
  await useSocket({ ...alice.as('read'), ...alice.as('write'), authorization: `Bearer ${secrets.get('session token of a script')}` });
  const session = await fixture.session(alice);
  note('session token', (session['authorization'] ?? '').slice('Bearer '.length));
  await useSocket(session);
  const created = await graphql(
    server.url,
    'mutation { apiKeyCreate(input: { name: "api", scopes: [READ] }) { apiKeySecret } }',
    {},
    { ...session, 'idempotency-key': 'once' },
  );
  note('key of the API', created.data.apiKeyCreate.apiKeySecret as string);
  const again = await graphql(
    server.url,
    'mutation { apiKeyCreate(input: { name: "api", scopes: [READ] }) { apiKeySecret } }',
    {},
    { ...session, 'idempotency-key': 'once' },
  );
  refusals.push(JSON.stringify(again));
}

async function money(): Promise<void> {
  const bob = await fixture.user({ sats: 1_000 });
  const unpaid = await bob.invoice(7, 'never paid');
  const paid = await alice.invoice(5);
  await bob.pay(paid.paymentRequest);
  await bob.pay((await fixture.outside(9)).paymentRequest);
  refusals.push(JSON.stringify(await bob.pay('lnbcrt1nonsense')));
  const status = '{ lnInvoicePaymentStatusByHash(input: { paymentHash: "HASH" }) { status paymentPreimage } }'.replace(
    'HASH',
    unpaid.paymentHash,
  );
  refusals.push(JSON.stringify(await graphql(server.url, status)));
  const { rows } = await server.pool.query<{ preimage: string }>('SELECT preimage FROM invoice WHERE payment_hash = $1', [
    unpaid.paymentHash,
  ]);
  note('preimage of an unpaid invoice', rows[0]?.preimage ?? '');
}

/** What people do with their own accounts: links by mail, factors, rolled keys. */
async function ownAccounts(): Promise<void> {
  const person = await fixture.user();
  const browser = new Watched('her account');
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email: person.email, password: PASSWORD });
  const post = async (path: string, fields: Fields, form = path): Promise<Visit> =>
    browser.post(path, { csrf: hiddenFields(await browser.get(form))['csrf'] ?? '', ...fields });
  /** A page that shows a secret, or gives the one of its address back. */
  const showing = (visit: Visit): Visit => {
    pages.splice(pages.indexOf(visit), 1);
    if (visit.status >= 400) refusals.pop();
    return visit;
  };
  const noteLink = async (to: string, subject: string): Promise<string> => {
    const link = linkIn(await mailTo(server, to, subject));
    note(`link: ${subject} ${to.slice(0, 4)}`, link.split('=')[1] ?? '');
    return link;
  };
  const email = '/dashboard/security/email';
  await post(email, { verify: '1' });
  await noteLink(person.email, 'Confirm your e-mail address');
  await post(email, { email: `new-${person.email}`, password: PASSWORD });
  const confirm = showing(await browser.get(await noteLink(`new-${person.email}`, 'Confirm your e-mail address')));
  await browser.post(`${email}/confirm`, hiddenFields(confirm));
  const undo = new Watched('undoing');
  const asked = showing(await undo.get(await noteLink(person.email, 'Your e-mail address was changed')));
  const undone = showing(await undo.submit(asked, {}));
  note('link of the page that undoes', /href="\/reset-password\?token=([^"]*)"/.exec(undone.text)?.[1] ?? '');
  await undo.get(`/undo-email-change?token=${hiddenFields(asked)['token']}`);
  await undo.submit(await undo.get('/forgot-password'), { email: person.email });
  const reset = showing(await undo.get(await noteLink(person.email, 'Reset your password')));
  await undo.submit(reset, { password: note('password after a reset', 'a password after a reset') });

  await browser.signInOnTheWay(await browser.get('/dashboard'), { email: person.email, password: 'a password after a reset' });
  const form = showing(await browser.get('/dashboard/security/totp'));
  const secret = note('secret of a factor', /<code id="[^"]*">([A-Z2-7 ]{32,40})<\/code>/.exec(form.text)?.[1]?.replaceAll(' ', '') ?? '');
  showing(await browser.post('/dashboard/security/totp', { ...hiddenFields(form), code: 'wrong!' }));
  const enrolled = await browser.post('/dashboard/security/totp', { ...hiddenFields(form), code: new TOTP({ secret }).generate() });
  const codes = showing(await browser.get(enrolled.location)).text.matchAll(/<span>([a-z0-9]{4}(?:-[a-z0-9]{4}){3})<\/span>/g);
  for (const [index, [, code = '']] of [...codes].entries()) note(`recovery code ${index}`, code);
  const other = new Watched('with a recovery code');
  await other.submit(await other.get('/login'), { email: person.email, password: 'a password after a reset' });
  await other.submit(await other.get('/login/code'), { code: note('wrong recovery code', 'abcd-efgh-jkmn-pqrs') });
  await other.submit(await other.get('/login/code'), { code: secrets.get('recovery code 0') ?? '' });

  const made = await server.get(ApiKeyService).create({ userId: person.userId, name: 'rolled', scopes: ['read'], expireInDays: null });
  const id = made.kind === 'created' ? made.apiKey.id : '';
  const rolled = await post(`/dashboard/keys/${id}/roll`, { overlap: '3600' }, `/dashboard/keys/${id}`);
  note('rolled key', /sluice_[0-9A-Za-z]{49}/.exec(showing(await browser.get(rolled.location)).text)?.[0] ?? '');
  await browser.get('/dashboard/activity');
}

/** An app of a developer, with test credentials and then with two secrets. */
async function developer(): Promise<void> {
  const browser = new Watched('developer');
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
  const fields = {
    name: 'Till',
    purpose: 'Counts what the till has sold.',
    redirectUris: CALLBACK,
    scope: 'read',
    confidential: 'confidential',
  };
  const form = await browser.get('/dashboard/developer/new');
  const { location } = await browser.post('/dashboard/developer', { ...hiddenFields(form), ...fields, act: 'submit' });
  const page = new URL(location).pathname;
  const credentials = async (name: string, path: string): Promise<void> => {
    const made = await browser.post(`${page}/${path}`, hiddenFields(await browser.get(page)));
    const shown = await browser.get(made.location);
    pages.splice(pages.indexOf(shown), 1);
    note(name, /sluice_cs_[0-9A-Za-z]{49}/.exec(shown.text)?.[0] ?? '');
  };
  await credentials('test client secret', 'test');
  await new OperatorCommand(server).run('client', 'approve', page.split('/')[3] ?? '', '--because', 'known', '--seen', '1');
  await credentials('first secret', 'secrets');
  await credentials('second secret', 'secrets');
  await browser.get(page);
}

/** The operator's commands, by the services that the command line calls. */
async function operator(): Promise<void> {
  const added = await server.get(ClientService).addSecret(shop.client.id, 60);
  note('client secret of the operator', added.kind === 'added' ? added.secret : '');
  const bob = await fixture.user();
  await server.get(UserService).changePassword(bob.userId, note('password of the operator', 'made by the operator'));
  const key = await server.get(ApiKeyService).create({ userId: bob.userId, name: 'x', scopes: ['read'], expireInDays: 1 });
  note('key of a service', key.kind === 'created' ? key.secret : '');
  const invitation = await server.get(InvitationService).create({ expiresInHours: 1, note: 'guest', who: 'operator' });
  note('code of an invitation', invitation.kind === 'created' ? invitation.code : '');
  if (invitation.kind === 'created') await new Watched('invited').get(`/register?invitation=${invitation.code}`);
}

beforeAll(async () => {
  server = await createTestApp({ env: { LOG_LEVEL: 'trace', THROTTLE_TOKEN_ADDRESS: '1000/60', THROTTLE_MAIL: '1000/60' } });
  fixture = new Fixture(server);
  alice = await fixture.user();
  shop = await newOAuthApp(server, { requirePkce: true });
  note('password', PASSWORD);
  await people();
  await apps();
  await credentials();
  await money();
  await operator();
  await ownAccounts();
  await developer();
  await mailsAreSent(server); // until then jobs hold messages
  await new Promise((resolve) => setTimeout(resolve, 1_200)); // what the services collect for a second is stored by then
});
afterAll(() => server.close());

const leakedInto = (text: string, whose: (name: string) => boolean = () => true): string[] =>
  [...secrets].filter(([name, secret]) => whose(name) && text.includes(secret)).map(([name]) => name);

it('every flow has recorded its secrets', () => {
  for (const kind of [
    'password',
    'session token',
    'key of the page',
    'key of the API',
    'code',
    'access_token first',
    'refresh_token second',
    'client secret',
    'verifier',
    'preimage',
    'code of an invitation',
    'link: Confirm',
    'link: Your e-mail address was changed',
    'link: Reset',
    'link of the page',
    'secret of a factor',
    'recovery code 9',
    'rolled key',
    'test client secret',
    'second secret',
  ])
    expect([...secrets.keys()].some((name) => name.startsWith(kind))).toBe(true);
  for (const kind of ['cookie sluice ', 'cookie sluice-presession', 'cookie sluice-i-', 'cookie sluice-once', 'csrf', 'challenge'])
    expect([...secrets.keys()].some((name) => name.includes(kind))).toBe(true);
  expect([pages.length, refusals.length].every((count) => count > 15)).toBe(true);
});

const inTheLog = (): string[] => leakedInto([...server.logs, ...plantedLines].join('\n'));
/** A form that comes back contains that page's own CSRF token. */
const isElsewheres = (name: string): boolean => !/: (csrf|challenge) /.test(name);
const inRefusals = (): string[] => refusals.flatMap((text) => leakedInto(text, isElsewheres));
const onPages = (): string[] => pages.flatMap(({ url, text }) => leakedInto(text, isElsewheres).map((name) => `${name} on ${url}`));

async function inTables(): Promise<string[]> {
  const { rows: tables } = await server.pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const leaks: string[] = [];
  for (const { name: table } of tables) {
    const { rows } = await server.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`);
    const text = rows.map((row) => row.text).join('\n');
    for (const [name, secret] of secrets) {
      const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64url')];
      const allowed = MAY_HOLD.some(([whose, where]) => whose.test(name) && where.test(table));
      // An app's own `state` and `nonce` are stored, because the response returns them to the app.
      if (!allowed && !/^(state|nonce)$/.test(name) && forms.some((form) => text.includes(form))) leaks.push(`${name} in ${table}`);
    }
  }
  return leaks;
}

describe('A-24, A-25: secrets that leak', () => {
  it('A-25: the log contains no secret of any flow', () => {
    expect(server.logs.length).toBeGreaterThan(10);
    expect(inTheLog()).toEqual([]);
  });

  it('A-25: no page contains a secret of another page', () => expect(onPages()).toEqual([]));

  it('A-24: no page sends a Referer or loads from another origin', () => {
    for (const { headers, text } of pages.filter((page) => page.text.includes('<html'))) {
      // The tests' address is plain http, where pages with forms have to let `Origin` through.
      expect(['no-referrer', 'same-origin']).toContain(headers.get('referrer-policy'));
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g))
        expect(address).not.toMatch(/^(?:https?:)?\/\/(?!app\.example\.test)/);
    }
  });
});

it('no metric contains one', async () => expect(leakedInto(await server.get(Metrics).text())).toEqual([]));

it('no refusal contains one', () => expect(inRefusals()).toEqual([]));

it('no table contains one in the clear, as text, as bytes, or inside JSON', async () => expect(await inTables()).toEqual([]));

describe('a planted secret is found', () => {
  const [name, secret] = ['planted', 'a-secret-that-was-planted'];
  beforeAll(() => void secrets.set(name, secret));

  it.each<[string, (put: string) => unknown, () => string[]]>([
    ['in the log', (put) => plantedLines.push(put), inTheLog],
    ['in a refusal', (put) => refusals.push(put), inRefusals],
    ['on a page', (put) => pages.push({ ...(pages[0] as Visit), text: put }), onPages],
  ])('%s', (_, plant, find) => {
    plant(JSON.stringify({ msg: `Bearer ${secret}` }));
    expect(find().some((found) => found.startsWith(name))).toBe(true);
  });

  it.each([
    ['as text', `'x ' || $1`, 'text'],
    ['as bytes', `convert_to($1, 'UTF8')`, 'bytea'],
    ['inside JSON', `jsonb_build_object('deep', jsonb_build_array($1::text))`, 'jsonb'],
  ])('in a table, %s', async (_, value, type) => {
    await server.pool.query(`CREATE TABLE planted (held ${type})`);
    await server.pool.query(`INSERT INTO planted SELECT ${value}`, [secret]);
    expect(await inTables()).toEqual(['planted in public.planted']);
    await server.pool.query('DROP TABLE planted');
  });
});
