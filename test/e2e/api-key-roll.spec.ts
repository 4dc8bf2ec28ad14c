import { ApiKeyService, OVERLAPS } from '../../src/access/api-key/index.js';
import { Clock } from '../../src/platform/kernel/clock.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { post } from '../support/http.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { RawSocket } from '../support/raw-socket.js';
import { recordStatements } from '../support/statements.js';

const HOUR_MS = 3_600_000;

let app: TestApp;
/** Another process, whose operator allows keys of at most 30 days that read and receive. */
let limited: TestApp;
let alice: Person;
let browser: BrowserSession;

beforeAll(async () => {
  app = await createTestApp();
  limited = await createTestApp({
    beside: app,
    settings: { ApiKeySettings: { API_KEY_MAX_DAYS: 30, API_KEY_SCOPES: 'read receive' } },
  });
});
beforeEach(async () => {
  alice = await new Fixture(app).user();
  browser = new BrowserSession(app.url);
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
});
afterAll(async () => {
  await limited.close();
  await app.close();
});

interface Key {
  readonly id: string;
  readonly secret: string;
}

const keyOf = async (...scopes: string[]): Promise<Key> => {
  const made = await app.get(ApiKeyService).create({ userId: alice.userId, name: 'Till', scopes, expireInDays: null });
  if (made.kind !== 'created') throw new Error(made.kind);
  return { id: made.apiKey.id, secret: made.secret };
};
const as = (secret: string): CredentialHeaders => ({ 'x-api-key': secret });
const statusOf = async (secret: string, at = app): Promise<number> =>
  (await post(`${at.url}/graphql`, { query: '{ __typename }' }, as(secret))).status;
const onBoth = (secret: string): Promise<number[]> => Promise.all([statusOf(secret), statusOf(secret, limited)]);
const secretOn = ({ text }: Visit): string => /sluice_[0-9A-Za-z]{49}/.exec(text)?.[0] ?? '';
const rollOnPage = async (id: string, overlap: string, by = browser): Promise<Visit> =>
  by.post(`/dashboard/keys/${id}/roll`, { ...hiddenFields(await by.get(`/dashboard/keys/${id}`)), overlap });
const roll = async ({ id }: Key, overlap: number): Promise<string> => {
  const visit = await rollOnPage(id, String(overlap));
  expect(visit.status).toBe(303);
  return secretOn(await browser.get(visit.location));
};
/** Milliseconds since the epoch, with the microseconds of the database as its fraction; null: no old secret. */
const endOf = async (id: string): Promise<number | null> => {
  const { rows } = await app.pool.query<{ ms: number | null }>(
    'SELECT extract(epoch FROM previous_until)::float8 * 1000 AS ms FROM api_key WHERE id = $1',
    [id],
  );
  return rows[0]?.ms ?? null;
};

describe('rolling a key', () => {
  it('shows a new secret once; both work, with one limit, one id and one set of permissions', async () => {
    const key = await keyOf('read');
    const visit = await rollOnPage(key.id, '3600');
    const shown = await browser.get(visit.location);
    expect(shown.text).toMatch(/Old secret works until<\/dt>\s*<dd><time [^>]*>\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC/);
    const secret = secretOn(shown);
    expect(secret).not.toBe(key.secret);
    expect(await onBoth(secret)).toEqual([200, 200]);
    expect(await onBoth(key.secret)).toEqual([200, 200]);
    expect(secretOn(await browser.get(visit.location))).toBe('');
    const { rows } = await app.pool.query<{ row: string }>('SELECT api_key::text AS row FROM api_key WHERE id = $1', [key.id]);
    for (const each of [secret, key.secret]) expect(`${rows[0]?.row}${app.logs.join('')}`).not.toContain(each.slice(-20));
  });

  it.each(OVERLAPS)('lets the old secret work for %d seconds, by the clock of the database', async (overlap) => {
    const { id } = await keyOf('read');
    await roll({ id, secret: '' }, overlap);
    const { rows } = await app.pool.query(
      `SELECT previous_until BETWEEN now() + make_interval(secs => $2 - 60) AND now() + make_interval(secs => $2) AS fits FROM api_key WHERE id = $1`,
      [id, overlap],
    );
    expect(rows).toEqual([{ fits: true }]);
  });

  it('stops the old secret now, also where another process has cached it', async () => {
    const key = await keyOf('read');
    expect(await onBoth(key.secret)).toEqual([200, 200]);
    const secret = await roll(key, 0);
    expect(await statusOf(key.secret)).toBe(401);
    await eventually(async () => (await statusOf(key.secret, limited)) === 401);
    expect(await onBoth(secret)).toEqual([200, 200]);
    await eventually(async () => (await browser.get(`/dashboard/keys/${key.id}`)).text.includes('An old secret, rolled before'));
  });

  it('attack: a cached old secret gets the exact end of the overlap on two processes', async () => {
    const key = await keyOf('read');
    expect(await onBoth(key.secret)).toEqual([200, 200]);
    const secret = await roll(key, 3_600);
    const endMs = (await endOf(key.id)) ?? 0;
    for (const process of [app, limited]) {
      await eventually(async () => (await lookUpsOf(process, key.secret)) === 0);
      const now = jest.spyOn(process.get(Clock), 'now');
      now.mockReturnValue(endMs - 0.001);
      // A process that may have missed events, as after a pause of a second, looks it up until it has read them.
      await eventually(async () => (await lookUpsOf(process, key.secret)) === 0);
      now.mockReturnValue(endMs);
      // The cache has let go of it: from here on the database decides.
      expect(await lookUpsOf(process, key.secret)).toBe(1);
      now.mockRestore();
    }
    await app.pool.query('UPDATE api_key SET previous_until = now() WHERE id = $1', [key.id]);
    for (const process of [app, limited]) {
      const now = jest.spyOn(process.get(Clock), 'now').mockReturnValue(endMs);
      expect(await statusOf(key.secret, process)).toBe(401);
      now.mockRestore();
    }
    expect(await onBoth(secret)).toEqual([200, 200]);
  });

  it('closes the sockets of an old secret when it ends, on every process, and not before', async () => {
    const key = await keyOf('read');
    const old = await Promise.all([app, limited].map(({ url }) => RawSocket.admitted(url, as(key.secret))));
    const secret = await roll(key, 3_600);
    const kept = await RawSocket.admitted(app.url, as(secret));
    expect(old.map(({ socket }) => socket.readyState)).toEqual([1, 1]);
    // The third secret ends the first, and lets the second work.
    await roll(key, 3_600);
    for (const { closed } of old) expect((await closed).code).toBe(4401);
    expect(kept.socket.readyState).toBe(1);
    await roll(key, 0);
    expect((await kept.closed).code).toBe(4401);
  });

  it('leaves at most two secrets: the third ends the oldest', async () => {
    const key = await keyOf('read');
    const second = await roll(key, 604_800);
    expect((await browser.get(`/dashboard/keys/${key.id}`)).text).toContain('Rolling again stops that one now');
    const third = await roll(key, 604_800);
    expect(await Promise.all([key.secret, second, third].map((secret) => statusOf(secret)))).toEqual([401, 200, 200]);
    await eventually(async () => (await statusOf(key.secret, limited)) === 401);
  });

  it('attack: revoking a rolled key ends both secrets at once, on every process', async () => {
    const key = await keyOf('read');
    const secret = await roll(key, 604_800);
    expect([await onBoth(key.secret), await onBoth(secret)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await app.get(ApiKeyService).revoke(alice.userId, key.id);
    for (const each of [key.secret, secret]) {
      expect(await statusOf(each)).toBe(401);
      await eventually(async () => (await statusOf(each, limited)) === 401);
    }
    expect((await rollOnPage(key.id, '0')).status).toBe(410);
  });

  it('keeps the expiry: the overlap never outlives the key', async () => {
    const key = await keyOf('read');
    await roll(key, 604_800);
    await app.pool.query('UPDATE api_key SET expires_at = now() WHERE id = $1', [key.id]);
    // The cached look-up is older than the change of the row.
    const now = jest.spyOn(app.get(Clock), 'elapsed').mockReturnValue(performance.now() + HOUR_MS);
    expect(await statusOf(key.secret)).toBe(401);
    now.mockRestore();
  });

  it.each(['', '60', '-1', '3600.0', '1e3', 'now'])('refuses the overlap %j with the form', async (overlap) => {
    const { id } = await keyOf('read');
    const { status, text } = await rollOnPage(id, overlap);
    expect([status, text.includes('href="#overlap"')]).toEqual([422, true]);
    expect(await endOf(id)).toBeNull();
  });

  it('attack: another person rolls nothing', async () => {
    const key = await keyOf('read');
    const mallory = await new Fixture(app).user();
    const theirs = new BrowserSession(app.url);
    await theirs.signInOnTheWay(await theirs.get('/dashboard'), { email: mallory.email, password: PASSWORD });
    const fields = hiddenFields(await theirs.get('/dashboard/keys/new'));
    for (const id of [key.id, 'nonsense'])
      expect((await theirs.post(`/dashboard/keys/${id}/roll`, { ...fields, overlap: '0' })).status).toBe(404);
    expect(await statusOf(key.secret)).toBe(200);
  });

  async function lookUpsOf(process: TestApp, secret: string): Promise<number> {
    const sent = recordStatements(process);
    expect(await statusOf(secret, process)).toBe(200);
    const count = sent.filter(([text]) => text.includes('k.key_hash = $1')).length;
    return count;
  }
});

describe('what the operator allows of new keys (API_KEY_MAX_DAYS, API_KEY_SCOPES)', () => {
  const CREATE = 'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKey { scopes expiresAt } } }';
  const GOOD = { name: 'Till', scopes: ['READ', 'RECEIVE'], expireInDays: 30 };
  const TOO_LONG = 'expireInDays must be at most 30 on this server, and must be given';
  const FORBIDDEN = 'scopes must contain only: read, receive';

  const doors = async (): Promise<[string, CredentialHeaders][]> => {
    const manager = await newOAuthApp(app, { trusted: true });
    const { access_token: token } = await manager.connect(alice, { scope: 'read write' }, browser);
    return [
      ['a session', await new Fixture(app).session(alice)],
      ['a trusted app', { 'oauth2-token': token }],
    ];
  };

  it('attack: neither a session nor a trusted app gets more by the API; the errors name field and rule', async () => {
    for (const [, credential] of await doors()) {
      const ask = async (more: object): Promise<unknown> =>
        (await graphql(limited.url, CREATE, { input: { ...GOOD, ...more } }, credential)).errors ?? 'made';
      const refused = (field: string, message: string): unknown[] => [
        expect.objectContaining({ message, extensions: { code: 'INVALID_INPUT', argument: ['input', field] } }),
      ];
      expect(await ask({})).toBe('made');
      for (const expireInDays of [31, 3_650, null]) expect(await ask({ expireInDays })).toEqual(refused('expireInDays', TOO_LONG));
      expect(await ask({ expireInDays: undefined })).toEqual(refused('expireInDays', TOO_LONG));
      expect(await ask({ scopes: ['READ', 'WRITE'] })).toEqual(refused('scopes', FORBIDDEN));
      expect(await ask({ scopes: undefined })).toEqual(refused('scopes', FORBIDDEN));
      expect(await ask({ manageCallbacks: true })).toEqual(
        refused('manageCallbacks', 'manageCallbacks is not allowed for API keys on this server'),
      );
    }
  });

  it('attack: the page offers what is allowed, and refuses the rest', async () => {
    const there = new BrowserSession(limited.url);
    await there.signInOnTheWay(await there.get('/dashboard'), { email: alice.email, password: PASSWORD });
    const form = await there.get('/dashboard/keys/new');
    expect([...form.text.matchAll(/<option value="(\w+)"/g)].map(([, value]) => value)).toEqual(expect.arrayContaining(['30']) as string[]);
    for (const none of ['value="90"', 'value="never"', 'value="write"', 'value="callbacks"']) expect(form.text).not.toContain(none);
    expect(form.text).toContain('environment variable or a secrets store');
    const send = (fields: object): Promise<Visit> =>
      there.post('/dashboard/keys', { ...hiddenFields(form), name: 'Till', scope: 'read', expires: '30', ...fields });
    expect((await send({})).status).toBe(303);
    for (const expires of ['90', 'never', '31', '']) expect((await send({ expires })).text).toContain('Choose an expiry');
    expect((await send({ scope: 'write' })).text).toContain('Choose a permission');
  });

  it('leaves existing keys as they are, also when they are rolled', async () => {
    const key = await keyOf('read', 'write');
    const there = new BrowserSession(limited.url);
    await there.signInOnTheWay(await there.get('/dashboard'), { email: alice.email, password: PASSWORD });
    const visit = await rollOnPage(key.id, '0', there);
    const secret = secretOn(await there.get(visit.location));
    const { data } = await graphql<{ authorization: { scopes: string[] } }>(limited.url, '{ authorization { scopes } }', {}, as(secret));
    expect(data?.authorization.scopes).toEqual(['READ', 'WRITE']);
    expect(await app.get(ApiKeyService).find(alice.userId, key.id)).toMatchObject({ expiresAt: null });
  });

  it('is refused at the start with a scope that keys cannot have', async () => {
    const settings = { ApiKeySettings: { API_KEY_SCOPES: 'read offline' } };
    await expect(createTestApp({ beside: app, settings })).rejects.toThrow(
      'API_KEY_SCOPES must have only: read, receive, write, callbacks',
    );
  });
});
