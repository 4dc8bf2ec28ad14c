import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Database } from '../../src/platform/database/index.js';
import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { SignInService } from '../../src/access/session/index.js';
import { ReaderTime } from '../../src/money/transaction/history-file.service.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { Pipeline } from '../support/pipeline.js';
import { limitsOf, NEVER_MS, whileTooSlow } from '../support/queue-limits.js';
import { post, request, type HttpAnswer } from '../support/http.js';

const ROWS = 5_001;
const AGE_MS = 2_000;
const fields = (...names: string[]): string =>
  `query ($w: [WalletId!]!) { me { defaultAccount { ${names.map((name) => `${name}: csvTransactions(walletIds: $w)`).join(' ')} } } }`;

/** Files of long histories: what one account asks for bounds neither the memory nor the processor of the others. */
describe('files of the history', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dave: Person;
  let erin: Person;
  beforeAll(async () => {
    jest.replaceProperty(QUEUE_LIMITS, 'ageMs', AGE_MS);
    app = await createTestApp({
      env: {
        TRUST_PROXY: '1',
        DATABASE_LOCK_MS: '30000',
        DATABASE_POOL_SIZE: '4',
        GRAPHQL_ANSWER_BYTES: '3900000',
        THROTTLE_PRINCIPAL: '400/3600',
      },
    });
    fixture = new Fixture(app);
    [alice, bob, carol, dave, erin] = [
      await fixture.user(),
      await fixture.user(),
      await fixture.user(),
      await fixture.user(),
      await fixture.user(),
    ];
    await addRows(alice, ROWS);
    for (const person of [dave, erin]) await addRows(person, 5_000);
    for (const person of [bob, carol]) await addRows(person, 3);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await shows('sluice_work_in_progress 0');
    await shows('sluice_turns_waiting{queue="files"} 0');
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  /** Failed payments moved no money. */
  const addRows = (person: Person, count: number): Promise<unknown> =>
    app.pool.query(
      `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, memo, external_id_by_owner, initiation, settlement, created_at, settled_at)
       SELECT gen_random_uuid(), $1, $2, 'USD', 'SEND', 'FAILURE', -1, repeat('m', 300), false, 'ln', 'ln', t, t
         FROM generate_series(1, $3::int) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - make_interval(secs => n)) AS at(t)`,
      [person.accountId, person.wallets.USD, count],
    );
  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const ask = (person: Person, ...names: string[]): Promise<HttpAnswer> =>
    post(
      `${app.url}/graphql`,
      { query: fields(...names), variables: { w: [person.wallets.USD] } },
      { ...elsewhere(), ...person.as('read') },
    );
  const shows = (line: string): Promise<boolean> => eventually(async () => (await app.get(Metrics).text()).includes(line));
  /** Statements that read the history, as they are sent. */
  const readings = (): (() => number) => {
    const spy = jest.spyOn(app.get(Database), 'query');
    return () => spy.mock.calls.filter(([{ text }]) => text.includes('FROM transaction t')).length;
  };

  /** Locks the history: statements that read it wait meanwhile. */
  async function whileLocked(work: () => Promise<void>): Promise<void> {
    const client = await app.pool.connect();
    await client.query('BEGIN; LOCK TABLE transaction IN ACCESS EXCLUSIVE MODE');
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  const statementsThatWait = async (): Promise<number> =>
    (await app.pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM transaction%'`)).rowCount ?? 0;

  async function cookieOf({ email }: Person): Promise<string> {
    const asked = { email, password: PASSWORD, address: '127.0.0.1', userAgent: 'test', purpose: 'page' } as const;
    const outcome = await app.get(SignInService).signIn(asked);
    if (outcome.kind !== 'signed_in') throw new Error('The person was not signed in');
    return `sluice=${outcome.token}`;
  }

  describe('csvTransactions', () => {
    it('refuses a history that is too long before it reads a row', async () => {
      const read = readings();
      const { body, headers } = await ask(alice, 'a', 'b');
      expect(body.errors).toMatchObject([{ extensions: { code: 'RESPONSE_TOO_LARGE' } }]);
      expect(read()).toBe(0);
      expect(headers.get('ratelimit')).toContain('"principal";r=394;');
    });

    it('charges the rows that it reads, and reads none past the limit', async () => {
      const read = readings();
      let answer = await ask(dave, 'a');
      // 5,000 for the field, and 40,000 for its rows.
      expect(answer.headers.get('ratelimit')).toMatch(/"principal";r=377;.*"account";r=\d+;/);
      let files = 0;
      for (; !answer.body.errors; answer = await ask(dave, 'a')) files++;
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'TOO_MANY_REQUEST' } }]);
      expect([files, read()]).toEqual([17, 17 * 5]);
    });

    it('reads no further than a response may be long', async () => {
      await app.pool.query(`UPDATE transaction SET memo = repeat('ü', 319) WHERE account_id = $1 AND memo = repeat('m', 300)`, [
        erin.accountId,
      ]);
      const read = readings();
      const { body } = await ask(erin, 'a');
      expect(body.errors).toMatchObject([{ message: expect.stringContaining('too long'), extensions: { code: 'RESPONSE_TOO_LARGE' } }]);
      expect(read()).toBe(4);
    });

    it('makes one file of an account and two of all at a time; the others wait, and get 503 in the end', async () => {
      let asked: Promise<HttpAnswer>[] = [];
      const { files } = app.get(WorkInProgress);
      limitsOf(files).ageMs = NEVER_MS;
      await whileLocked(async () => {
        asked = Array.from({ length: 10 }, () => ask(bob, 'a', 'b'));
        await shows('sluice_turns_waiting{queue="files"} 9');
        asked.push(ask(carol, 'a'));
        await eventually(async () => (await statementsThatWait()) === 2);
        asked.push(ask(alice, 'a'));
        await shows('sluice_turns_waiting{queue="files"} 10');
        expect(await statementsThatWait()).toBe(2);
        await whileTooSlow(files, () => shows('sluice_turns_waiting{queue="files"} 0'));
      });
      limitsOf(files).ageMs = AGE_MS;
      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array<number>(10).fill(503)]);
      const [refused] = answers.filter(({ status }) => status === 503);
      expect([refused?.headers.get('retry-after'), refused?.body.errors[0].extensions.code]).toEqual(['1', 'SERVICE_UNAVAILABLE']);
      await shows('sluice_turns_refused_total{queue="files",because="aged"} 19'); // each alias
    });

    it('answers all that do not wait too long', async () => {
      // No time passes for those that wait: how long a file takes depends on the machine.
      const now = performance.now();
      jest.spyOn(performance, 'now').mockReturnValue(now);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n % 2 ? bob : carol, 'a', 'b')));
      for (const { body } of answers) {
        const { a, b } = body.data.me.defaultAccount as Record<'a' | 'b', string>;
        expect([b === a, Buffer.from(a, 'base64').toString().split('\r\n').length]).toEqual([true, 5]);
      }
    });
  });

  it('a search counts in the limits of the session and the account, and so do the rows that it reads', async () => {
    const cookie = await cookieOf(dave);
    const search = (query: string): Promise<Response> =>
      fetch(`${app.url}/dashboard/history${query}`, { headers: { ...elsewhere(), cookie } });
    const limits = async (query: string): Promise<string | null> => (await search(query)).headers.get('ratelimit');
    expect(await limits('?q=nowhere')).toMatch(/"principal";r=399;.*"account";/);
    // 1 call, and 4 for each 1,000 of 5,000 rows.
    expect(await limits('?q=nowhere')).toContain('"principal";r=378;');
    expect(await limits('')).toContain('"principal";r=357;');
    expect(await limits('?q=mmm')).toContain('"principal";r=356;');
    for (let n = 0; n < 60 && (await search('?q=nowhere')).status === 200; n++);
    expect((await search('?q=nowhere')).status).toBe(429);
    expect((await search('')).status).toBe(429);
  });

  describe('the page’s download', () => {
    const PATH = '/dashboard/history/csv';
    beforeAll(() => addRows(bob, 20_000));

    /** A browser that reads only when asked to. */
    const open = (cookie: string, headers = elsewhere()): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => get(`${app.url}${PATH}`, { headers: { ...headers, cookie } }, resolve).on('error', reject));
    /** The same, once no other download of the account is left. */
    const begun = async (cookie: string): Promise<IncomingMessage> =>
      eventually(async () => {
        const response = await open(cookie);
        return response.statusCode === 200 ? response : (response.resume(), undefined);
      });
    const textOf = async (response: IncomingMessage): Promise<string> => Buffer.concat(await response.toArray()).toString();

    it('has all rows of a long history, and counts them in the limits of the session and the account', async () => {
      const cookie = await cookieOf(alice);
      const response = await open(cookie);
      expect(response.headers['ratelimit']).toContain('"principal";r=399;');
      expect(response.headers['ratelimit']).toContain('"account";');
      expect((await textOf(response)).split('\r\n')).toHaveLength(ROWS + 2);
      // 2 calls for each piece of 500 rows, and 1 for the last row.
      const next = await open(cookie);
      expect(next.headers['ratelimit']).toContain('"principal";r=377;');
      await textOf(next);
    });

    it('reads nothing for a HEAD request', async () => {
      const read = readings();
      const { status, headers } = await request(`${app.url}${PATH}`, {
        method: 'HEAD',
        headers: { ...elsewhere(), cookie: await cookieOf(alice) },
      });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      await eventually(async () => (await app.get(Metrics).text()).includes('sluice_work_in_progress 0'));
      expect(read()).toBe(0);
    });

    it('is refused past the limit of the account', async () => {
      const cookie = await cookieOf(carol);
      const responses = await Promise.all(Array.from({ length: 3 }, () => open(cookie)));
      await Promise.all(responses.map(textOf));
      // Of several at once one is made, and the others count less.
      for (let n = 3; n < 605; n++) await textOf(await open(cookie));
      const refused = await request(`${app.url}${PATH}`, { headers: { ...elsewhere(), cookie, accept: 'text/html' } });
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    });

    it('reads no further than its reader does, one download of an account at a time', async () => {
      const cookie = await cookieOf(bob);
      const read = readings();
      const slow = await begun(cookie);
      slow.socket.pause();
      await eventually(() => read() > 0);
      const refused = (await open(cookie)).resume();
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
      expect(read()).toBeLessThan(20);
      slow.destroy();
      (await begun(cookie)).resume();
    });

    it('ends when its reader takes too long for a piece, so that another one may begin', async () => {
      const cookie = await cookieOf(bob);
      const waits = new Set<() => void>();
      jest.spyOn(ReaderTime.prototype, 'wait').mockImplementation((end) => {
        waits.add(end);
        return () => void waits.delete(end);
      });
      const slow = await begun(cookie);
      // Nothing reads the response before the wait is over: a read would resume the socket.
      const cut = once(slow, 'error');
      slow.socket.pause();
      await eventually(() => {
        waits.forEach((end) => end());
        return waits.size > 0;
      });
      (await begun(cookie)).resume();
      slow.resume().socket.resume();
      expect(await cut).toMatchObject([{ message: 'aborted' }]);
    });

    it('ends with its connection, also behind a response that is still awaited', async () => {
      const cookie = await cookieOf(bob);
      const read = readings();
      const connection = await Pipeline.open(app.url);
      const client = await app.pool.connect();
      await client.query('BEGIN; LOCK TABLE price_point IN ACCESS EXCLUSIVE MODE');
      try {
        connection.send([{ query: '{ btcPriceList(range: ONE_DAY) { timestamp } }' }]);
        connection.socket.write(`GET ${PATH} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`);
        await eventually(() => read() > 0);
        await connection.close();
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      (await begun(cookie)).resume();
    });
  });
});
