import { createTestApp, type TestApp } from '../support/app.js';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { AppService, ClientService } from '../../src/access/oauth/index.js';
import { AccessPauseService, UserService } from '../../src/access/user/index.js';
import { Events, REVOCATION } from '../../src/platform/events/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp, type Tokens } from '../support/oauth-app.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';
import { StallingProxy } from './stalling-proxy.js';

let database: TestDatabase;
let proxy: StallingProxy;
let one: TestApp;
let two: TestApp;
let fixture: Fixture;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await StallingProxy.start(database.connection);
  const env = { DATABASE_DIRECT_URL: proxy.url };
  one = await createTestApp({ database: { ...database, drop: async () => undefined }, env });
  two = await createTestApp({ beside: one, env });
  fixture = new Fixture(one);
});
afterAll(async () => {
  await two?.close();
  await one?.close();
  await proxy?.close();
  await database?.drop();
});

/** A credential, and how it ends. */
interface Subject {
  readonly credential: CredentialHeaders;
  readonly end: () => Promise<unknown>;
  /** With which its sockets close; default: 4401. */
  readonly code?: number;
  readonly undo?: () => Promise<unknown>;
}

const SUBJECTS: Readonly<Record<string, (person: Person) => Promise<Subject>>> = {
  'a key that is revoked': async (person) => {
    const keys = one.get(ApiKeyService);
    const made = await keys.create({ userId: person.userId, name: 'to be revoked', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error('The key was not created');
    const [row] = (await keys.list(person.userId)).filter(({ name }) => name === 'to be revoked');
    return { credential: { 'x-api-key': made.secret }, end: () => keys.revoke(person.userId, row?.id ?? '') };
  },
  'a session whose person changes the password': async (person) => ({
    credential: await fixture.session(person),
    end: () => one.get(UserService).changePassword(person.userId, 'another horse entirely'),
  }),
  'a session that is ended': async (person) => ({
    credential: await fixture.session(person),
    end: () => fixture.endSessions(person),
  }),
  'an app that is disconnected': async (person) => {
    const app = await newOAuthApp(one);
    const { access_token: token } = await app.connect(person, { scope: 'read' });
    return { credential: { 'oauth2-token': token }, end: () => one.get(AppService).revoke(person.userId, app.client.id) };
  },
  'an app whose client is suspended': async (person) => {
    const app = await newOAuthApp(one);
    const { access_token: token } = await app.connect(person, { scope: 'read' });
    return { credential: { 'oauth2-token': token }, end: () => one.get(ClientService).suspend(app.client.id) };
  },
  'a key whose owner pauses access': async (person) => ({
    credential: person.as('read'),
    end: () => one.get(AccessPauseService).pause(person.userId, 'owner'),
    code: 4403,
  }),
  'an app while the operator pauses access': async (person) => {
    const app = await newOAuthApp(one);
    const { access_token: token } = await app.connect(person, { scope: 'read' });
    const pauses = one.get(AccessPauseService);
    return {
      credential: { 'oauth2-token': token },
      end: () => pauses.pause(null, 'operator'),
      code: 4403,
      undo: () => pauses.resume(null, 'operator'),
    };
  },
  'a session that signs out': async (person) => {
    const credential = await fixture.session(person);
    return { credential, end: () => graphql(one.url, 'mutation { userLogout { success } }', {}, credential) };
  },
  'a key that its owner revokes': async (person) => {
    const keys = one.get(ApiKeyService);
    const made = await keys.create({ userId: person.userId, name: 'to be revoked', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error('The key was not created');
    const input = { id: made.apiKey.id };
    const session = await fixture.session(person);
    const end = (): Promise<unknown> =>
      graphql(one.url, 'mutation ($input: ApiKeyRevokeInput!) { apiKeyRevoke(input: $input) { apiKey { revoked } } }', { input }, session);
    return { credential: { 'x-api-key': made.secret }, end };
  },
  'a token that its app revokes': async (person) => {
    const app = await newOAuthApp(one);
    const { access_token: token } = await app.connect(person, { scope: 'read' });
    return { credential: { 'oauth2-token': token }, end: () => app.revoke(token) };
  },
  'a token whose code is used twice': async (person) => {
    const app = await newOAuthApp(one);
    const code = await app.code(person, { scope: 'read' });
    const { access_token: token } = (await app.exchange(code)).body as Tokens;
    return { credential: { 'oauth2-token': token }, end: () => app.exchange(code) };
  },
  'a token whose former refresh token is used again': async (person) => {
    const app = await newOAuthApp(one);
    const { refresh_token: former = '' } = await app.connect(person, { scope: 'read offline' });
    const { access_token: token } = (await app.refresh(former)).body as Tokens;
    await one.pool.query("UPDATE oauth_refresh_token SET replay_until = replay_until - interval '1 hour'");
    return { credential: { 'oauth2-token': token }, end: () => app.refresh(former) };
  },
};

/** What happens, at that moment, to the connection over which each instance receives revocations. */
const ACCIDENTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'while everything works': async () => undefined,
  'while the listening connection is cut': cutListeners,
  'while the listening connection stands still': async () => proxy.stall(),
};

/** The pids of the connections over which the two processes receive events. */
const listeners = (): Promise<number[]> =>
  eventually(() => {
    const pids = [one, two].flatMap((app) => app.get(Events).sessionPid() ?? []);
    return pids.length === 2 ? pids : null;
  });

async function cutListeners(): Promise<void> {
  await one.pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [await listeners()]);
}

const works = async (url: string, credential: CredentialHeaders): Promise<boolean> =>
  (await graphql(url, '{ me { id } }', {}, credential)).data != null;

describe.each(Object.keys(ACCIDENTS))('%s', (accident) => {
  it.each(Object.keys(SUBJECTS))('%s: calls and sockets of both processes end', async (subject) => {
    const { credential, end, code = 4401, undo } = (await SUBJECTS[subject]?.(await fixture.user())) as Subject;
    const urls = [one.url, two.url];
    for (const url of urls) expect(await works(url, credential)).toBe(true);
    const sockets = await Promise.all(urls.map((url) => RawSocket.admitted(url, credential)));
    await ACCIDENTS[accident]?.();
    await end();
    // The process that answered forgets before it answers.
    expect(await works(one.url, credential)).toBe(false);
    for (const url of urls) await eventually(async () => !(await works(url, credential)));
    const closed = await Promise.all(sockets.map(({ closed: ending }) => ending));
    expect(closed).toMatchObject([{ code }, { code }]);
    await Promise.all(urls.map((url) => expect(RawSocket.admitted(url, credential)).rejects.toThrow(String(code))));
    await undo?.();
  });
});

it('a session is not in the cache of a process that is connected again and has not read its end yet', async () => {
  const person = await fixture.user();
  const credential = await fixture.session(person);
  expect(await works(one.url, credential)).toBe(true);
  const client = await one.pool.connect();
  await client.query(`BEGIN; SELECT pg_terminate_backend(pid) FROM unnest('{${String(await listeners())}}'::int[]) AS pid;
    UPDATE session SET ended_at = now() WHERE user_id = '${person.userId}' RETURNING ${REVOCATION.text};
    COMMIT; BEGIN; LOCK TABLE event`);
  try {
    const waiting = 'SELECT FROM pg_stat_activity WHERE pid = ANY ($1) AND wait_event_type = $2';
    await eventually(async () => (await one.pool.query(waiting, [await listeners(), 'Lock'])).rowCount === 2);
    for (let call = 0; call < 20; call++) expect(await works(one.url, credential)).toBe(false);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('takes effect within a second where the machine has the time for it: once in many attempts', async () => {
  const person = await fixture.user();
  await eventually(async () => {
    const { credential, end } = (await SUBJECTS['a session that is ended']?.(person)) as Subject;
    expect(await works(two.url, credential)).toBe(true);
    const began = performance.now();
    await end();
    await eventually(async () => !(await works(two.url, credential)));
    return performance.now() - began < 1_000;
  });
});

describe('a payment while the listening connection is closed', () => {
  it('is answered, and reported to connected sockets', async () => {
    const [alice, bob] = [await fixture.user({ sats: 100 }), await fixture.user()];
    for (let round = 0; round < 5; round++) {
      const { paymentRequest } = await fixture.outside(1);
      const [paid] = await Promise.all([alice.pay(paymentRequest), cutListeners(), bob.invoice(1)]);
      expect(paid).toMatchObject({ status: 'SUCCESS' });
    }
    await fixture.expectBalanced();
  });
});
