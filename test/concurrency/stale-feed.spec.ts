import { ApiKeyService } from '../../src/access/api-key/index.js';
import { Events } from '../../src/platform/events/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { AppService, ClientService } from '../../src/access/oauth/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import type { CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';
import { StallingProxy } from './stalling-proxy.js';

let database: TestDatabase;
let proxy: StallingProxy;
let app: TestApp;
let fixture: Fixture;
let alice: Person;
/** Credentials, and how each is ended. */
let subjects: { readonly credential: CredentialHeaders; readonly end: () => Promise<unknown> }[];

/** The events of this process come through a proxy of their own, which a test can cut while the database answers. */
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await StallingProxy.start(database.connection);
  app = await createTestApp({ database: { ...database, drop: async () => undefined }, env: { DATABASE_DIRECT_URL: proxy.url } });
  fixture = new Fixture(app);
  alice = await fixture.user();
  const keys = app.get(ApiKeyService);
  const made = await keys.create({ userId: alice.userId, name: 'to be revoked', scopes: ['read'], expireInDays: null });
  if (made.kind !== 'created') throw new Error('The key was not created');
  const [left, suspended] = [await newOAuthApp(app), await newOAuthApp(app)];
  const token = async (shop: typeof left): Promise<CredentialHeaders> => ({
    'oauth2-token': (await shop.connect(alice, { scope: 'read' })).access_token,
  });
  subjects = [
    { credential: { 'x-api-key': made.secret }, end: () => keys.revoke(alice.userId, made.apiKey.id) },
    { credential: await token(left), end: () => app.get(AppService).revoke(alice.userId, left.client.id) },
    { credential: await token(suspended), end: () => app.get(ClientService).suspend(suspended.client.id) },
    { credential: await fixture.session(alice), end: () => fixture.endSessions(alice) },
  ];
});
afterAll(async () => {
  await app?.close();
  await proxy?.close();
  await database?.drop();
});

describe('a process that receives no events', () => {
  it('closes the sockets of revoked credentials, and no others', async () => {
    const bob = await fixture.user();
    const others = await Promise.all([bob.as('read'), alice.as('all'), {}].map((credential) => RawSocket.admitted(app.url, credential)));
    const sockets = await Promise.all(subjects.map(({ credential }) => RawSocket.admitted(app.url, credential)));
    await proxy.close();
    await eventually(() => !app.get(Events).current);
    for (const { end } of subjects) await end();
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(sockets.map(() => ({ code: 4401, reason: 'Unauthorized' })));
    for (const other of others) {
      other.send({ type: 'ping' });
      expect(await other.next()).toMatchObject({ type: 'pong' });
      await other.leave();
    }
  });

  it('reports it in the log at intervals, and as a metric', async () => {
    await eventually(() => app.logs.some((line) => line.includes('events_late')));
    const [, lag] = /^sluice_event_lag_seconds (\S+)$/m.exec(await app.get(Metrics).text()) ?? [];
    expect(Number(lag)).toBeGreaterThan(2);
    expect(app.get(Events).lagSeconds).toBeGreaterThanOrEqual(Number(lag));
    expect(app.logs.filter((line) => line.includes('events_late'))).toHaveLength(1);
  });
});
