import pg from 'pg';
import { eventually } from '../../src/testing/eventually.js';
import { createTestDatabase, urlOf, type TestDatabase } from '../support/database.js';
import { demoPerson, personIn } from '../support/demo-person.js';
import { dataOf } from '../support/graphql.js';
import { post, request } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { ServerProcess } from '../support/server-process.js';
import { Updates } from '../support/updates.js';

describe('two processes on one database and one data folder', () => {
  let database: TestDatabase;
  let one: ServerProcess;
  let two: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase({ migrated: false });
    const variables = { DATABASE_URL: urlOf(database), SLUICE_DEMO_ON_EXTERNAL_DB: '1' };
    one = await ServerProcess.prepare(variables);
    two = await one.sibling();
    // Both migrate the database and create the demo, at once.
    await Promise.all([one.start(), two.start()]);
  });
  afterAll(async () => {
    await Promise.all([two?.close(), one?.close()]);
    await database?.drop();
  });

  it('share one demo', async () => {
    expect(two.demo).toEqual(one.demo);
    for (const server of [one, two]) expect((await request(`${server.url}/health/ready`)).status).toBe(200);
    expect(await demoPerson(two, 'alice').sats()).toBe(1_000_000);
  });

  it('count all their connections, because there is no pooler', async () => {
    for (const { lines } of [one, two]) {
      const line = await eventually(() => lines.find((text) => text.includes('database_connection_budget')));
      // 16 for work, 1 for events
      expect(JSON.parse(line)).toMatchObject({ connections: 17 });
      expect(line).not.toContain('pooler');
    }
  });

  it('the later one warns that each counts wrong passwords for itself, and connections say whose they are', async () => {
    expect([one, two].some(({ lines }) => lines.some((text) => text.includes('"rate_limit_not_shared"')))).toBe(true);
    const client = new pg.Client(database.connection);
    await client.connect();
    const { rows } = await client.query(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    await client.end();
    expect(rows).toEqual([{ name: 'sluice' }]);
  });

  it('receive each other’s payment events', async () => {
    const [alice, bob] = [demoPerson(one, 'alice'), demoPerson(two, 'bob')];
    const updates = await Updates.open(alice, alice.as('read'), bob);
    const { paymentRequest, paymentHash } = await alice.invoice(900);
    expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await updates.about(paymentHash)).toMatchObject({ transaction: { settlementAmount: 900 } });
    updates.close();
    expect(await one.sluice('audit')).toMatch(/^Ledger OK /);
  });

  it('refuse on both what is revoked on one', async () => {
    const alice = demoPerson(one, 'alice');
    const sockets = await Promise.all([one, two].map((server) => RawSocket.admitted(server.url, alice.as('read'))));
    const { email, password } = personIn(two, 'alice');
    const { body } = await post(`${two.url}/auth/login`, { email, password });
    const session = { authorization: `Bearer ${body.result.authToken}` };
    const { me } = await dataOf(two.url, '{ me { apiKeys { id name } } }', {}, session);
    const key = (me.apiKeys as { id: string; name: string }[]).find(({ name }) => name === 'demo read');
    await dataOf(
      two.url,
      'mutation ($input: ApiKeyRevokeInput!) { apiKeyRevoke(input: $input) { apiKey { revoked } } }',
      { input: { id: key?.id } },
      session,
    );
    expect((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code)).toEqual([4401, 4401]);
    for (const { url } of [one, two]) {
      const { status } = await post(`${url}/graphql`, { query: '{ __typename }' }, { 'X-API-KEY': personIn(one, 'alice').apiKeys.read });
      expect(status).toBe(401);
    }
  });

  it('prepare the demo once what it needs is no longer locked', async () => {
    await two.end();
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query('BEGIN; LOCK TABLE wallet IN ACCESS EXCLUSIVE MODE');
    const started = two.start();
    await Promise.race([started, eventually(() => two.lines.some((line) => line.includes('demo_delayed')))]);
    expect((await request(`${two.url}/health/ready`)).body).toEqual({ status: 'not ready', waitingFor: ['start'] });
    await client.end();
    await started;
    expect((await request(`${two.url}/health/ready`)).status).toBe(200);
    expect(two.demo).toEqual(one.demo);
  });
});
