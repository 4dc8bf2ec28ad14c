import { ApiKeyService } from '../../src/access/api-key/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, socketClient, type CredentialHeaders } from '../support/graphql.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const FIELDS = 'id name createdAt expiresAt expired revoked readOnly lastUsedAt scopes';
const CREATE = `mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKeySecret apiKey { ${FIELDS} } } }`;
const REVOKE = `mutation ($id: ID!) { apiKeyRevoke(input: { id: $id }) { apiKey { ${FIELDS} } } }`;
const LIST = `{ me { apiKeys { ${FIELDS} } } }`;
const MESSAGE = 'Access credentials are invalid';
const REFUSED = { error: { code: 401, status: 'Unauthorized', message: MESSAGE }, errors: [{ message: MESSAGE }] };

interface Key {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly scopes: readonly string[];
}

describe('API keys', () => {
  let app: TestApp;
  let alice: Person;
  let session: CredentialHeaders;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user();
    session = await signIn(alice);
  });
  afterAll(() => app.close());

  const signIn = async ({ email }: Person): Promise<CredentialHeaders> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/auth/login`, { method: 'POST', headers, body: JSON.stringify({ email, password: PASSWORD }) });
    const { result } = (await response.json()) as { result: { authToken: string } };
    return { authorization: `Bearer ${result.authToken}` };
  };
  const create = async (input: object, by = session): Promise<{ apiKey: Key; apiKeySecret: string; as: CredentialHeaders }> => {
    const { apiKeyCreate } = await dataOf<{ apiKeyCreate: { apiKey: Key; apiKeySecret: string } }>(app.url, CREATE, { input }, by);
    return { ...apiKeyCreate, as: { 'x-api-key': apiKeyCreate.apiKeySecret } };
  };
  const revoke = (id: string, by = session): ReturnType<typeof graphql> => graphql(app.url, REVOKE, { id }, by);
  const listed = async (by = session): Promise<Key[]> => (await dataOf<{ me: { apiKeys: Key[] } }>(app.url, LIST, {}, by)).me.apiKeys;
  const ask = async (as: CredentialHeaders, at = app): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${at.url}/graphql?query=${encodeURIComponent('{ __typename }')}`, { headers: as });
    return { status: response.status, body: await response.json() };
  };
  const errorOf = async (input: object): Promise<unknown> => (await graphql(app.url, CREATE, { input }, session)).errors?.[0];

  describe('apiKeyCreate', () => {
    it('shows the secret once; its owner sees the key by name from then on', async () => {
      const { apiKey, apiKeySecret, as } = await create({ name: ' Shop till ', scopes: ['RECEIVE'], expireInDays: 30 });
      expect(apiKeySecret).toMatch(/^sluice_[0-9A-Za-z]{49}$/);
      expect(apiKey).toMatchObject({
        name: 'Shop till',
        scopes: ['RECEIVE'],
        readOnly: false,
        expired: false,
        revoked: false,
        lastUsedAt: null,
      });
      expect((apiKey.expiresAt ?? 0) - apiKey.createdAt).toBe(30 * 86_400);
      expect((await dataOf(app.url, '{ authorization { scopes } }', {}, as)).authorization.scopes).toEqual(['RECEIVE']);
      expect((await listed())[0]).toMatchObject({ id: apiKey.id, name: 'Shop till' });
    });

    it('creates a key that can read and send, and not receive, by default', async () => {
      const { apiKey } = await create({ name: 'default' });
      expect(apiKey).toMatchObject({ scopes: ['READ', 'WRITE'], readOnly: false, expiresAt: null });
      expect((await create({ name: 'reader', scopes: ['READ', 'READ'] })).apiKey).toMatchObject({ scopes: ['READ'], readOnly: true });
    });

    it('stores the secret nowhere: neither in the database nor in the logs', async () => {
      const { apiKeySecret, as } = await create({ name: 'secret', scopes: ['READ'] });
      await ask(as);
      const { rows } = await app.pool.query(`SELECT api_key::text AS text, encode(key_hash, 'escape') AS hash FROM api_key`);
      for (const text of [JSON.stringify(rows), app.logs.join('\n')]) expect(text).not.toContain(apiKeySecret.slice(-20));
    });

    it.each([
      [{ name: 'x', scopes: [] }, 'scopes', 'scopes can not be empty'],
      [{ name: '' }, 'name', 'name must have 1 to 64 characters, one of them visible, and no control characters'],
      [{ name: '\u200b' }, 'name', 'name must have 1 to 64 characters, one of them visible, and no control characters'],
      [{ name: '\ud800' }, 'name', 'name must have 1 to 64 characters, one of them visible, and no control characters'],
      [{ name: 'nul\0' }, 'name', 'name must have 1 to 64 characters, one of them visible, and no control characters'],
      [{ name: 'x', expireInDays: 0 }, 'expireInDays', 'expireInDays must be a whole number from 1 to 3650'],
      [{ name: 'x', expireInDays: 2 ** 31 - 1 }, 'expireInDays', 'expireInDays must be a whole number from 1 to 3650'],
    ])('refuses %j', async (input, field, message) => {
      expect(await errorOf(input)).toMatchObject({
        message,
        path: ['apiKeyCreate'],
        extensions: { code: 'INVALID_INPUT', argument: ['input', field] },
      });
    });

    it('requires a signed-in person: no key creates keys', async () => {
      for (const as of [alice.as('all'), alice.as('write'), {}]) {
        const { data, errors } = await graphql(app.url, CREATE, { input: { name: 'more' } }, as);
        expect(data).toBeNull();
        expect(errors).toHaveLength(1);
        expect(errors?.[0]).toMatchObject({ message: 'Not authorized' });
      }
    });

    it('refuses the 201st valid key', async () => {
      const collector = await new Fixture(app).user();
      const make = (): Promise<{ kind: string }> =>
        app.get(ApiKeyService).create({ userId: collector.userId, name: 'one more', scopes: ['read'], expireInDays: null });
      for (let made = 4; made < 200; made++) await make();
      expect(await make()).toEqual({ kind: 'too_many', limit: 200 });
      const first = (await app.get(ApiKeyService).list(collector.userId))[0];
      await app.get(ApiKeyService).revoke(collector.userId, first?.id ?? '');
      expect(await make()).toMatchObject({ kind: 'created' });
    });
  });

  it('counts keys that are made, revoked ones too, through the API and on the page, for each account', async () => {
    const narrow = await createTestApp({ beside: app, settings: { RateLimitSettings: { apiKey: '3/86400' } } });
    try {
      const [busy, other] = [await new Fixture(narrow).user(), await new Fixture(narrow).user()];
      const as = await new Fixture(narrow).session(busy);
      const make = (headers: CredentialHeaders): Promise<Awaited<ReturnType<typeof graphql>>> =>
        graphql(narrow.url, CREATE, { input: { name: 'more', scopes: ['READ'] } }, headers);
      for (let made = 0; made < 2; made++) expect((await make(as)).errors).toBeUndefined();
      await narrow.get(ApiKeyService).revokeChosen({ userId: busy.userId });
      const browser = new BrowserSession(narrow.url);
      await browser.signInFrom('192.0.2.1', { email: busy.email, password: PASSWORD });
      const fields = { name: 'page', scope: 'read', limit: '', window: 'daily', expires: '90' };
      const onPage = async (): Promise<Visit> => {
        const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/dashboard/keys/new')).text)?.[1] ?? '';
        return browser.post('/dashboard/keys', { ...fields, csrf }, { 'sec-fetch-site': 'same-origin' });
      };
      expect((await onPage()).status).toBe(303);
      const refused = await onPage();
      expect([refused.status, refused.text.includes('Too many requests')]).toEqual([429, true]);
      // Another session of the same account.
      const { errors } = await make(await new Fixture(narrow).session(busy));
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'TOO_MANY_REQUEST' });
      expect((await make(await new Fixture(narrow).session(other))).errors).toBeUndefined();
      expect(await narrow.get(ApiKeyService).list(busy.userId)).toHaveLength(4 + 3);
    } finally {
      await narrow.close();
    }
  });

  describe('me.apiKeys', () => {
    it('lists valid, revoked and expired keys, newest first, for credentials that can read', async () => {
      const bob = await new Fixture(app).user();
      const as = await signIn(bob);
      const { apiKey: old } = await create({ name: 'old', expireInDays: 1 }, as);
      const { apiKey: ended } = await create({ name: 'ended' }, as);
      await create({ name: 'new' }, as);
      await app.pool.query(`UPDATE api_key SET expires_at = now() WHERE id = $1`, [old.id]);
      await revoke(ended.id, as);
      const keys = await listed(bob.as('read'));
      expect(keys.slice(0, 3).map(({ name, revoked, expired }) => ({ name, revoked, expired }))).toEqual([
        { name: 'new', revoked: false, expired: false },
        { name: 'ended', revoked: true, expired: false },
        { name: 'old', revoked: false, expired: true },
      ]);
      expect(keys.map(({ id }) => id)).not.toContain((await listed())[0]?.id);
      const { errors } = await graphql(app.url, LIST, {}, bob.as('write'));
      expect(errors?.[0]).toMatchObject({ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } });
    });
  });

  describe('apiKeyRevoke', () => {
    it('revokes a key, and can be repeated', async () => {
      const { apiKey, as } = await create({ name: 'short-lived' });
      expect((await ask(as)).status).toBe(200);
      for (let i = 0; i < 2; i++)
        expect((await revoke(apiKey.id)).data).toMatchObject({ apiKeyRevoke: { apiKey: { id: apiKey.id, revoked: true } } });
      await eventually(async () => (await ask(as)).status === 401);
      expect(await ask(as)).toEqual(await ask({ 'x-api-key': 'nonsense' }));
      expect((await ask(as)).body).toEqual(REFUSED);
    });

    it('does not find keys of other accounts, or ids of no key', async () => {
      const foreign = await app.get(ApiKeyService).list((await new Fixture(app).user()).userId);
      for (const id of [foreign[0]?.id ?? '', 'nonsense', '00000000-0000-4000-8000-000000000000']) {
        expect((await revoke(id)).errors).toMatchObject([{ message: 'API key not found', extensions: { code: 'NOT_FOUND' } }]);
      }
      expect(await app.get(ApiKeyService).find(foreign[0]?.userId ?? '', foreign[0]?.id ?? '')).toMatchObject({ revoked: false });
    });

    it('requires a signed-in person: no key revokes keys', async () => {
      const { apiKey, as } = await create({ name: 'all', scopes: ['READ', 'WRITE', 'RECEIVE'] });
      expect((await revoke(apiKey.id, as)).errors).toMatchObject([{ message: 'Not authorized' }]);
      expect((await ask(as)).status).toBe(200);
    });
  });

  describe('an open connection', () => {
    const closedBy = (as: string): { code(): number | undefined; dispose(): void | Promise<void>; connected: Promise<void> } => {
      let code: number | undefined;
      const client = socketClient(app.url, { 'X-API-KEY': as }, { onClosed: (event) => (code = (event as { code: number }).code) });
      const connected = new Promise<void>((resolve) => client.on('connected', () => resolve()));
      return { code: () => code, dispose: () => client.dispose(), connected };
    };

    it('closes with 4401 within a second of revocation', async () => {
      const { apiKey, apiKeySecret } = await create({ name: 'socket' });
      const socket = closedBy(apiKeySecret);
      await socket.connected;
      await revoke(apiKey.id);
      await eventually(() => socket.code() === 4401);
      await socket.dispose();
    });

    it('closes with 4401 within a second of expiry, by the clock of the database', async () => {
      const { apiKey, apiKeySecret, as } = await create({ name: 'socket', expireInDays: 1 });
      const connectedWithin = async (seconds: number): Promise<ReturnType<typeof closedBy>> => {
        await app.pool.query(`UPDATE api_key SET expires_at = now() + make_interval(secs => $2) WHERE id = $1`, [apiKey.id, seconds]);
        const opened = closedBy(apiKeySecret);
        // A machine that takes longer to connect gets more time.
        const isRefused = eventually(() => opened.code() !== undefined);
        const isIn = await Promise.race([opened.connected.then(() => true), isRefused.then(() => false)]);
        return isIn ? opened : connectedWithin(seconds * 2);
      };
      const socket = await connectedWithin(1);
      expect(socket.code()).toBeUndefined();
      await eventually(() => socket.code() === 4401);
      await eventually(async () => (await ask(as)).status === 401);
      await socket.dispose();
    });

    it('of another process closes as soon', async () => {
      const other = await createTestApp({ beside: app });
      try {
        const { apiKey, as } = await create({ name: 'two processes' });
        expect((await ask(as, other)).status).toBe(200);
        await revoke(apiKey.id);
        await eventually(async () => (await ask(as, other)).status === 401);
      } finally {
        await other.close();
      }
    });
  });

  it('keeps keys for ninety days after they ended', async () => {
    const ended = async (column: string, days: number): Promise<string> => {
      const { id } = (await create({ name: `${column} ${days}` })).apiKey;
      await app.pool.query(`UPDATE api_key SET ${column} = now() - make_interval(days => $2) WHERE id = $1`, [id, days]);
      return id;
    };
    const gone = [await ended('revoked_at', 91), await ended('expires_at', 91)];
    const kept = [await ended('revoked_at', 89), await ended('expires_at', 89), (await create({ name: 'in use' })).apiKey.id];
    await app.get(ApiKeyService).purge();
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM api_key WHERE id = ANY ($1)', [[...gone, ...kept]]);
    expect(rows.map(({ id }) => id).sort()).toEqual(kept.sort());
  });
});
