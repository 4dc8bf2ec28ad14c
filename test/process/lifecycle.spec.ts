import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from '../../src/app/bootstrap.js';
import { wordsFor } from '../../src/app/serve.js';
import { PinoLogger } from '../../src/platform/logging/index.js';
import { createTestDatabase, urlOf, type TestDatabase } from '../support/database.js';
import { demoPerson, personIn } from '../support/demo-person.js';
import { eventually } from '../../src/testing/eventually.js';
import { post, request } from '../support/http.js';
import { isAlive } from '../support/postgres-lab.js';
import { RawSocket } from '../support/raw-socket.js';
import { command, PROJECT, run, ServerProcess } from '../support/server-process.js';

const statusOf = async (server: ServerProcess, apiKey: string): Promise<number> =>
  (await post(`${server.url}/graphql`, { query: '{ me { username } }' }, { 'X-API-KEY': apiKey })).status;

/** One data folder from its first start on; each test continues where the one before it has ended. */
describe('npm start', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start({ DRAIN_SECONDS: '2' });
  });
  afterAll(() => server?.close());
  const demoFile = (): string => join(server.dataDir, 'demo.json');

  it('prints its address, the demo’s users, and one curl command that works', async () => {
    // The line that reports readiness comes first; the others may come a moment later.
    await eventually(() => server.lines.some((line) => line.trim().startsWith('curl ')));
    const said = server.lines.slice(server.lines.findIndex((line) => line.startsWith('Sluice is ready at ')));
    expect(said[0]).toBe(`Sluice is ready at ${server.url}`);
    for (const email of ['alice@example.test', 'bob@example.test', 'operator@example.test']) expect(said.join('\n')).toContain(email);
    const curl = said.find((line) => line.trim().startsWith('curl ')) ?? '';
    const { stdout } = await run('bash', ['-c', curl], {});
    expect(JSON.parse(stdout)).toMatchObject({
      data: {
        me: { username: 'alice', defaultAccount: { wallets: [{ walletCurrency: 'BTC', balance: 1_000_000 }, { walletCurrency: 'USD' }] } },
      },
    });
    expect((await request(`${server.url}/health/live`)).body).toEqual({ status: 'ok' });
    expect((await request(`${server.url}/health/ready`)).body).toEqual({ status: 'ok' });
  });

  it('listens on a free port with PORT=0, and prints that port in every address', async () => {
    expect(Number(server.port)).toBeGreaterThan(0);
    expect(server.demo.url).toBe(server.url);
    const { body } = await request(`${server.url}/.well-known/openid-configuration`);
    expect([body.issuer, body.token_endpoint]).toEqual([server.url, `${server.url}/oauth2/token`]);
    expect((await request(`${server.url}/.well-known/lnurlp/alice`)).body.callback).toMatch(`${server.url}/`);
  });

  it('beside it another start on the data folder is refused with its address', async () => {
    const { code, stderr } = await (await server.sibling()).launch();
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(`^Sluice is already running at ${server.url} \\(process ${server.pid}\\) on the data folder `)],
    ]);
  });

  it('ends once at Ctrl-C, although npm forwards the terminal’s signal', async () => {
    const ending = server.end('SIGINT');
    // The system could merge two signals of one kind; the output at the end is the same for both kinds.
    process.kill(server.pid, 'SIGTERM');
    const { code, stdout } = await ending;
    expect([code, stdout.split('\n').filter((line) => line === 'Stopped.')]).toEqual([0, ['Stopped.']]);
    expect(stdout.trim().endsWith('\nStopped.')).toBe(true);
  });

  it('leaves what the operator’s commands need: they start the embedded database, and leave nothing running', async () => {
    expect(await server.command('audit')).toEqual({
      code: 0,
      signal: null,
      stdout: `Ledger OK (data folder ${server.dataDir})\n`,
      stderr: '',
    });
    expect(await server.command('client', 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^demo-app {2}approved/),
      stderr: '',
    });
    expect(isAlive(server.databasePid)).toBe(false);
  });

  it('keeps demo.json over a restart', async () => {
    expect(statSync(demoFile()).mode & 0o777).toBe(0o600);
    const first = readFileSync(demoFile(), 'utf8');
    await server.start();
    expect(readFileSync(demoFile(), 'utf8')).toBe(first);
    expect(await statusOf(server, personIn(server, 'alice').apiKeys.read)).toBe(200);
  });

  it('at SIGTERM refuses new work, ends current work, closes sockets with 1001 and stops its database', async () => {
    const alice = demoPerson(server, 'alice');
    const invoice = await server.sluice('simulator', 'invoice', '--sats', '100', '--faults', 'delayMs=4000');
    const socket = await RawSocket.admitted(server.url, alice.as('read'));
    const { databasePid } = server;
    expect(isAlive(databasePid)).toBe(true);

    const paying = alice.pay(invoice);
    await eventually(async () => (await alice.sats()) < 1_000_000);
    const ended = server.end('SIGTERM');
    const told = await eventually(async () => {
      const answer = await request(`${server.url}/health/ready`);
      return answer.status === 503 ? answer : undefined;
    });
    // A connection that is kept alive would delay the end for its client.
    expect(told.headers.get('connection')).toBe('close');
    expect(await alice.sats()).toBeLessThan(1_000_000);
    await eventually(() => refused(server.url));
    expect((await socket.closed).code).toBe(1001);
    expect(await paying).toMatchObject({ status: 'SUCCESS', errors: [] });
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(isAlive(databasePid)).toBe(false);
  });

  it('without demo.json creates the keys anew, and the old ones end', async () => {
    const old = server.demo;
    rmSync(demoFile());
    await server.start();
    const alice = demoPerson(server, 'alice');
    expect(personIn(server, 'alice').wallets.BTC).toBe(old.users['alice']?.wallets.BTC);
    expect(await statusOf(server, old.users['alice']?.apiKeys.read ?? '')).toBe(401);
    expect(await statusOf(server, personIn(server, 'alice').apiKeys.read)).toBe(200);
    expect(await alice.sats()).toBeLessThan(1_000_000); // what she has left, and no new money
    const token = (secret: string): Promise<number> =>
      request(`${server.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${old.oauthClient.clientId}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'authorization_code', code: 'none', redirect_uri: 'http://localhost:5555/callback' }),
      }).then(({ status }) => status);
    expect([await token(old.oauthClient.clientSecret), await token(server.demo.oauthClient.clientSecret)]).toEqual([401, 400]);
  });
});

describe('a signal', () => {
  let server: ServerProcess;
  afterAll(() => server?.close());

  it('during the start stops what was started, and the next start works; one during the drain ends it', async () => {
    server = await ServerProcess.prepare({ DRAIN_SECONDS: '300' });
    void server.launch();
    const databasePid = await eventually(() => server.databasePid > 0 && server.databasePid);
    expect(await server.end('SIGINT')).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(isAlive(databasePid)).toBe(false);
    await server.start();
    const ended = server.end('SIGTERM');
    await eventually(async () => (await request(`${server.url}/health/ready`)).status === 503);
    await server.end('SIGINT');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

it('a start with arguments explains that settings are variables, and starts nothing', async () => {
  const { code, stdout, stderr } = await run(process.execPath, [join(PROJECT, 'scripts/start.js'), '--port', '5000'], {});
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^"--port": npm start takes no arguments\. .* PORT=4001 npm start;/),
  ]);
});

describe('a refused start', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['a port that is taken', {}, /^Port \d+ is in use by another program\. Stop it, or set PORT\.$/],
    [
      'an address of another machine',
      { HOST: '192.0.2.1' },
      /^192\.0\.2\.1 is not an address of this machine\. Set HOST to one that is\.$/,
    ],
    [
      'a host name that is not there',
      { HOST: 'host.invalid' },
      /^The configuration has a problem:\n {2}- HOST must be an address of this machine$/,
    ],
    [
      'a database at a host that is not there',
      { DATABASE_URL: 'postgres://sluice:hunter2@database.invalid/sluice' },
      /^The database does not answer \(getaddrinfo (ENOTFOUND|EAI_AGAIN) database\.invalid\)\. Check DATABASE_URL\.$/,
    ],
    [
      'a data folder that cannot be made',
      { SLUICE_DATA_DIR: '/proc/nope/deeper', SECRET_KEY: '' },
      /^The configuration has a problem:\n {2}- SLUICE_DATA_DIR must be a folder that this user can write to; cannot write to \/proc\/nope\/deeper \(ENOENT\)$/,
    ],
  ])('%s is reported in one sentence', async (_what, variables, sentence) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve));
    const own = { DATABASE_URL: urlOf(database), SLUICE_DEMO_ON_EXTERNAL_DB: '1', SECRET_KEY: 'x'.repeat(40) };
    const prepared = await ServerProcess.prepare(own);
    const env = { ...prepared.variables, PORT: String((other.address() as AddressInfo).port), ...variables };
    const started = createApp({ env, logger: new PinoLogger({ level: 'silent', tokenPrefix: '' }) }).then(async (sluice) => {
      try {
        return await sluice.listen();
      } finally {
        await sluice.close();
      }
    });
    expect(await started.catch(wordsFor)).toMatch(sentence);
    other.close();
    await prepared.close();
  });
});

it.each([
  ['40P01', 'deadlock detected', 'The database has rolled a statement back (deadlock detected). Run it again.'],
  [
    '55P03',
    'canceling statement due to lock timeout',
    'The database has rolled a statement back (canceling statement due to lock timeout). Run it again.',
  ],
  ['53300', 'sorry, too many clients already', 'The database does not answer (sorry, too many clients already). Check DATABASE_URL.'],
])('names the end of a start by %s', (code, message, words) => expect(wordsFor(Object.assign(new Error(message), { code }))).toBe(words));

describe('the operator’s commands without a server', () => {
  const REGISTER = ['client', 'register', '--name', 'App', '--redirect-uri', 'http://localhost:1/', '--scope', 'read'];
  it.each([
    ['that is empty, with a demo', {}, '.', ['audit']],
    ['that is not there, with a demo that has a secret of its own', { SECRET_KEY: 'x'.repeat(40) }, 'not-there', REGISTER],
  ])('refuse a folder %s, and create nothing there', async (_what, variables, place, words) => {
    const elsewhere = await ServerProcess.prepare(variables);
    const dataDir = join(elsewhere.dataDir, place);
    try {
      expect(await elsewhere.commandWith({ SLUICE_DATA_DIR: dataDir }, ...words)).toEqual({
        code: 1,
        signal: null,
        stdout: '',
        stderr: `No Sluice data in ${dataDir}. Start the server first, or set SLUICE_DATA_DIR to the folder that the server uses.\n`,
      });
      expect(readdirSync(elsewhere.dataDir)).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('report a wrong argument in one sentence, with the usage of that command', async () => {
    const elsewhere = await ServerProcess.prepare();
    try {
      const usage = /Usage: npm run sluice -- client list \[options\]\n\nLists all apps, or those that wait for a decision\n[^]*--json/;
      expect(await elsewhere.command('client', 'list', '--yaml')).toEqual({
        code: 2,
        signal: null,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^Unknown option '--yaml'\n\n${usage.source}`)),
      });
    } finally {
      await elsewhere.close();
    }
  });

  it('report a database that refuses the connection in one sentence', async () => {
    const database = await createTestDatabase();
    const elsewhere = urlOf({ ...database, connection: { ...database.connection, database: 'nowhere' } });
    const env = { DATABASE_URL: elsewhere, SLUICE_DEMO_ON_EXTERNAL_DB: '1', SECRET_KEY: 'x'.repeat(40) };
    const stderr = 'PostgreSQL refuses the connection (database "nowhere" does not exist). Check DATABASE_URL.\n';
    expect(await command(env, 'audit')).toMatchObject({ code: 1, stdout: '', stderr });
    await database.drop();
  });

  it('create no second secret when the server has its own', async () => {
    const elsewhere = await ServerProcess.prepare({
      DATABASE_URL: 'postgres://sluice:hunter2@127.0.0.1:1/sluice',
      SLUICE_DEMO_ON_EXTERNAL_DB: '1',
      DATABASE_START_SECONDS: '0',
    });
    try {
      const { code, stderr } = await elsewhere.command('audit');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/ SECRET_KEY must be set to the value of the server; /)]);
      expect(readdirSync(elsewhere.dataDir)).toEqual([]);
      const away = await elsewhere.commandWith({ SECRET_KEY: 'x'.repeat(40) }, 'audit');
      expect([away.code, away.stderr]).toEqual([
        1,
        expect.stringMatching(/^The database does not answer \(.*\)\. Check DATABASE_URL\.\n$/m),
      ]);
    } finally {
      await elsewhere.close();
    }
  });
});

/** Whether no process listens there any more. */
const refused = (url: string): Promise<boolean> =>
  request(url).then(
    () => false,
    (error: Error & { readonly cause?: NodeJS.ErrnoException }) => error.cause?.code === 'ECONNREFUSED',
  );
