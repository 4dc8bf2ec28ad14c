import { decodeJwt } from 'jose';
import pg from 'pg';
import { eventually } from '../../src/testing/eventually.js';
import { createTestDatabase, urlOf, type TestDatabase } from '../support/database.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ServerProcess } from '../support/server-process.js';

const AUDIT = `SELECT id::text, claim AS by, attempts FROM job WHERE task = 'ledger_audit'`;

/** A person of the demo has come to an app by a sign-in, which ends. @param url where the app learns it */
const endOfSignIn = (url: string): string => `
  INSERT INTO oauth_client (id, name, confidential, redirect_uris, scopes, grant_types, state, backchannel_logout_uri)
  VALUES ('till', 'Till', true, '{https://till.example/}', '{read}', '{authorization_code}', 'approved', '${url}');
  INSERT INTO session (id, token_hash, user_id, purpose, user_agent, address) SELECT gen_random_uuid(), 'x', id, 'page', '', '' FROM app_user LIMIT 1;
  INSERT INTO oauth_grant (id, user_id, client_id, scopes, session_id, auth_time, absolute_expires_at)
  SELECT gen_random_uuid(), s.user_id, 'till', '{read}', s.id, now(), now() + interval '1 day' FROM session s WHERE s.token_hash = 'x';
  UPDATE session SET ended_at = now() WHERE token_hash = 'x'`;

interface Audit {
  readonly id: string;
  readonly by: string | null;
  readonly attempts: number;
}

describe('a process that dies in the middle of a job', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let one: ServerProcess;
  let two: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.connection);
    await client.connect();
    one = await ServerProcess.prepare({
      DATABASE_URL: urlOf(database),
      SLUICE_DEMO_ON_EXTERNAL_DB: '1',
      // The audit waits for its lock as long as the test keeps it.
      DATABASE_LOCK_MS: '60000',
      DATABASE_STATEMENT_SECONDS: '120',
    });
    two = await one.sibling();
    await one.start();
  });
  afterAll(async () => {
    await Promise.all([two?.close(), one?.close()]);
    await client?.end();
    await database?.drop();
  });

  const audit = async (): Promise<Audit | undefined> => (await client.query<Audit>(AUDIT)).rows[0];

  it('leaves it to another one', async () => {
    await eventually(async () => (await audit())?.by === null);
    // The audit of the one waits for this lock.
    await client.query('BEGIN; LOCK TABLE ledger_entry IN ACCESS EXCLUSIVE MODE');
    const other = new pg.Client(database.connection);
    await other.connect();
    await other.query(`UPDATE job SET run_at = now() WHERE task = 'ledger_audit'`);
    await eventually(async () => (await audit())?.by);
    const taken = await audit();
    // A back-channel logout of this process waits for the answer of its app.
    const app = await WebhookReceiver.start();
    app.answer = () => (app.deliveries.length > 1 ? 204 : new Promise(() => undefined));
    await other.query(endOfSignIn(app.url()));
    await app.until(1);
    await two.start();
    expect(await audit()).toEqual(taken);
    await one.end('SIGKILL');
    // The node's streams have another holder, whose claim is shorter than that of a job.
    await eventually(() => two.lines.some((line) => line.includes('job_leader_began') && line.includes('settlements')));
    const now = async (): Promise<Audit | undefined> => (await other.query<Audit>(AUDIT)).rows[0];
    await eventually(async () => (await now())?.attempts === 2);
    expect(await now()).toMatchObject({ id: taken?.id, attempts: 2 });
    const [first, again] = (await app.until(2)).map(({ body }) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? ''));
    expect([again?.['sid'], again?.sub]).toEqual([first?.['sid'], first?.sub]);
    await eventually(async () => (await other.query(`SELECT FROM job WHERE task = 'oauth_logout'`)).rows.length === 0);
    app.stop();
    // The line may arrive after the next process has begun the job.
    await eventually(() => two.lines.some((line) => line.includes('job_freed')));
    await client.query('COMMIT');
    await eventually(async () => (await now())?.by === null);
    const jobs = JSON.parse(await two.sluice('jobs', 'list', '--json')) as { task: string; state: string }[];
    expect(jobs).toContainEqual(expect.objectContaining({ task: 'ledger_audit', state: 'waiting', attempts: 0 }));
    await other.end();
  });

  it('ends cleanly when it stops idle', async () => {
    const { code, stderr } = await two.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(two.lines.filter((line) => line.includes('job_store'))).toEqual([]);
  });
});
