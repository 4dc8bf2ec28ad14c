import pg from 'pg';
import { AdvisoryLock } from '../../src/platform/database/index.js';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { urlOf } from '../support/database.js';
import { PostgresLab, query, serverPid } from '../support/postgres-lab.js';
import { ServerProcess } from '../support/server-process.js';

/** Servers with data folders of their own use one database. */
const SECRET_KEY = 'the secret of the tests of the start';
const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;

describe('a start while PostgreSQL restarts', () => {
  const lab = new PostgresLab();
  const servers: ServerProcess[] = [];
  let postgres: EmbeddedPostgres;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = lab.folder();
    postgres = await lab.start({ dataDir });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => lab.close());

  const urlWith = (connection: Partial<EmbeddedPostgres['connection']> = {}): string =>
    urlOf({ connection: { ...postgres.connection, ...connection }, drop: async () => undefined });
  const prepare = async (variables: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const own = { DATABASE_URL: urlWith(), SLUICE_DEMO_ON_EXTERNAL_DB: '1', SECRET_KEY };
    const server = await ServerProcess.prepare({ ...own, ...variables });
    servers.push(server);
    return server;
  };
  /** How PostgreSQL refuses a connection now. */
  const refusal = async (): Promise<string | undefined> =>
    query(postgres.connection, 'SELECT').then(
      () => undefined,
      ({ code }: { code?: string }) => code,
    );
  const awaited = ({ lines }: ServerProcess): string[] => lines.filter((line) => line.includes('"database_awaited"'));

  it('waits while it shuts down, is away and starts up, and logs that once', async () => {
    const server = await prepare();
    // A smart shutdown waits for the open connections, and accepts no others.
    process.kill(serverPid(dataDir) ?? 0, 'SIGTERM');
    await eventually(async () => (await refusal()) === '57P03');
    const started = server.start();
    await eventually(() => awaited(server).length > 0);
    expect(awaited(server)[0]).toMatch(
      /PostgreSQL starts up, recovers or shuts down \(the database system is shutting down\): the start waits 30 s at most/,
    );
    process.kill(serverPid(dataDir) ?? 0, 'SIGINT');
    await started;
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect(awaited(server)).toHaveLength(1);
  });

  it('waits for one that takes connections and does not answer', async () => {
    const server = await prepare();
    const pid = serverPid(dataDir) ?? 0;
    process.kill(pid, 'SIGSTOP');
    const started = server.start();
    await eventually(() => awaited(server).length > 0, 60_000);
    process.kill(pid, 'SIGCONT');
    await started;
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect(awaited(server)[0]).toMatch(/A connection to PostgreSQL was cut \(timeout expired\): the start waits 30 s at most/);
  });

  it.each([
    ['PostgreSQL shuts down', () => process.kill(serverPid(dataDir) ?? 0, 'SIGINT')],
    [
      'the administrator ends its connections',
      () => void query(postgres.connection, `SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`),
    ],
  ])('begins again when %s in the middle of it', async (_how, cut) => {
    // The migration of another process, for which the start waits.
    const other = new pg.Client({ ...postgres.connection });
    other.on('error', () => undefined);
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(${AdvisoryLock.migration})`);
    const server = await prepare();
    const started = server.start();
    await eventually(() => server.lines.some((line) => line.includes('"database_migration_awaited"')));
    // It says so before it waits.
    await eventually(async () => (await query(postgres.connection, WAITING)).length > 0);
    cut();
    await eventually(() => awaited(server).length > 0);
    await other.end().catch(() => undefined);
    await started;
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect(awaited(server)[0]).toMatch(
      /PostgreSQL starts up, recovers or shuts down \(terminating connection .+\): the start begins again/,
    );
  });

  it('does not wait with a wrong password', async () => {
    const server = await prepare({ DATABASE_URL: urlWith({ password: 'wrong' }) });
    const stderr = expect.stringMatching(
      /^PostgreSQL refuses the connection \(password authentication failed .*\)\. Check DATABASE_URL\.\n$/,
    ) as string;
    expect(await server.launch()).toMatchObject({ code: 1, stderr });
    // On a busy machine a connection may be awaited, but not for this.
    expect(awaited(server).filter((line) => line.includes('password'))).toEqual([]);
  });

  it('ends at once at a signal', async () => {
    await lab.stopServers();
    const server = await prepare({ DATABASE_START_SECONDS: '600' });
    const ended = server.launch();
    await eventually(() => awaited(server).length > 0);
    await server.end('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(server.lines.at(-1)).toBe('Stopped.');
  });

  it('ends after DATABASE_START_SECONDS, and says what to do', async () => {
    await lab.stopServers();
    const server = await prepare({ DATABASE_START_SECONDS: '1' });
    expect(await server.launch()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Nothing accepts connections at the address of PostgreSQL \(connect ENOENT .*\) for 1 s\. Start PostgreSQL, or check DATABASE_URL\.\n$/,
      ),
    });
    expect(awaited(server)).toHaveLength(1);
  });
});
