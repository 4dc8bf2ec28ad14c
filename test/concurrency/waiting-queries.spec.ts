import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { JobWorkers } from '../../src/platform/job/job-workers.js';
import { Loops } from '../../src/platform/loop/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { request, type HttpAnswer } from '../support/http.js';
import { NEVER_MS, whileTooSlow } from '../support/queue-limits.js';
import { Fixture } from '../support/fixture.js';

const QUERY = 'query ($i: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $i) { status } }';
const hash = (digit: string): string => digit.repeat(64);

/** Fields of queries that wait for their turn: a field whose caller has gone is not begun, and one that has waited too long is refused. */
describe('a query that waits for its turn', () => {
  let app: TestApp;
  /** The invoices that were looked up. */
  const lookedUp: string[] = [];
  beforeAll(async () => {
    jest.replaceProperty(QUEUE_LIMITS, 'ageMs', NEVER_MS);
    app = await createTestApp({
      env: {
        TRUST_PROXY: '1',
        DATABASE_POOL_SIZE: '2',
        DATABASE_LOCK_MS: '30000',
        DATABASE_STATEMENT_SECONDS: '60',
      },
    });
    // Loops and jobs would wait for the test's locks too, and take the second of two connections.
    await app.get(Loops).onApplicationShutdown();
    await app.get(JobWorkers).beforeApplicationShutdown();
    const database = app.get(Database);
    const query = database.query.bind(database);
    database.query = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
      lookedUp.push(...(values ?? []).filter((value): value is string => typeof value === 'string' && /^([0-9a-f])\1{63}$/.test(value)));
      return query<Row>(statement, values);
    };
  });
  afterEach(() => shows('sluice_turns_waiting{queue="database"} 0').then(() => shows('sluice_work_in_progress 0')));
  afterAll(() => app.close());

  let addresses = 0;
  const ask = (paymentHash: string, signal?: AbortSignal): Promise<HttpAnswer> =>
    request(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${++addresses}` },
      body: JSON.stringify({ query: QUERY, variables: { i: { paymentHash } } }),
      ...(signal && { signal }),
    });
  const shows = (line: string): Promise<boolean> => eventually(async () => (await app.get(Metrics).text()).includes(line));

  /** Runs `work` while one query takes the only turn and waits for a lock. */
  async function whileTaken(work: () => Promise<void>): Promise<HttpAnswer> {
    const client = await app.pool.connect();
    await client.query('BEGIN; LOCK TABLE invoice IN ACCESS EXCLUSIVE MODE');
    const first = ask(hash('a'));
    try {
      await eventually(() => lookedUp.at(-1) === hash('a'));
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    return first;
  }

  it('is never executed when its caller has closed the connection; one behind it is', async () => {
    let behind: Promise<HttpAnswer> | undefined;
    const first = await whileTaken(async () => {
      const leaving = new AbortController();
      const gone = ask(hash('b'), leaving.signal).catch((error: Error) => error.name);
      await shows('sluice_turns_waiting{queue="database"} 1');
      leaving.abort();
      expect(await gone).toBe('AbortError');
      await shows('sluice_turns_refused_total{queue="database",because="gone"} 1');
      behind = ask(hash('c'));
      await shows('sluice_turns_waiting{queue="database"} 1');
    });
    expect([first.status, (await behind)?.status]).toEqual([200, 200]);
    expect([...new Set(lookedUp)]).toEqual([hash('a'), hash('c')]);
  });

  it('does not delay fields that share one statement', async () => {
    const alice = await new Fixture(app).user({});
    const me = '{ me { id defaultAccount { wallets { balance } } } }';
    const first = await whileTaken(async () => {
      const { data, errors } = await graphql(app.url, me, {}, alice.as('read'));
      expect([errors, data.me.id]).toEqual([undefined, alice.userId]);
    });
    expect(first.status).toBe(200);
  });

  it('is refused with 503 when it has waited too long, and never executed', async () => {
    const first = await whileTaken(async () => {
      const refused = ask(hash('d'));
      await shows('sluice_turns_waiting{queue="database"} 1');
      await whileTooSlow(app.get(WorkInProgress).database, async () => {
        const { status, headers, body } = await refused;
        expect([status, headers.get('retry-after'), body.errors[0].extensions.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE']);
      });
      await shows('sluice_turns_refused_total{queue="database",because="aged"} 1');
    });
    expect(first.status).toBe(200);
    expect(lookedUp).not.toContain(hash('d'));
  });
});
