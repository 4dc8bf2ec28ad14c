import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { childrenOf, isAlive, parentOf, PostgresLab, query, serverPid } from '../support/postgres-lab.js';

const lab = new PostgresLab();
afterEach(() => lab.close());

function runningServer(dataDir: string): number {
  const pid = serverPid(dataDir);
  if (pid === undefined || !isAlive(pid)) throw new Error('no server runs');
  return pid;
}

describe('when the owner is killed', () => {
  it('stops PostgreSQL cleanly at once, and starts again with every commit', async () => {
    const dataDir = lab.folder();
    const owner = lab.owner({ dataDir });
    const { connection } = await owner.hears('started');
    if (!connection) throw new Error('no connection was said');
    await query(connection, 'CREATE TABLE paid AS SELECT 1000 AS sats');
    const pid = runningServer(dataDir);
    await owner.kill();
    await eventually(() => !isAlive(pid));
    expect(readFileSync(join(dataDir, 'postgres/postgres.log'), 'utf8')).not.toMatch(/not properly shut down/);

    const server = await lab.start({ dataDir });
    expect(await query(server.connection, 'SELECT sats FROM paid')).toEqual([{ sats: 1000 }]);
    expect(readFileSync(join(dataDir, 'postgres/postgres.log'), 'utf8')).not.toMatch(/not properly shut down/);
  });

  it('starts again at once, while the old server still stops', async () => {
    const dataDir = lab.folder();
    const owner = lab.owner({ dataDir, durable: false });
    await owner.hears('started');
    await owner.kill();
    const server = await lab.start({ dataDir, durable: false });
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('stops a server that was left behind because its watcher was killed too', async () => {
    const dataDir = lab.folder();
    const owner = lab.owner({ dataDir, durable: false });
    await owner.hears('started');
    const orphan = runningServer(dataDir);
    const watcher = parentOf(orphan);
    for (const pid of childrenOf(watcher)) if (pid !== orphan) process.kill(pid, 'SIGKILL');
    process.kill(watcher, 'SIGSTOP');
    await owner.kill();
    process.kill(watcher, 'SIGKILL');
    expect(isAlive(orphan)).toBe(true);
    expect(await EmbeddedPostgres.findRunning(dataDir)).toBeUndefined();

    await lab.start({ dataDir, durable: false });
    expect(isAlive(orphan)).toBe(false);
  });

  it('ignores a lock whose process number another process has now', async () => {
    const dataDir = lab.folder();
    const first = await lab.start({ dataDir, durable: false });
    const lock = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
    await first.stop();
    const other = lab.owner({ dataDir: lab.folder(), durable: false });
    await other.hears('started');
    writeFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), lock.replace(/^\d+/, String(other.pid)));
    const second = await lab.start({ dataDir, durable: false });
    expect(await query(second.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('when PostgreSQL dies under a running owner', () => {
  const cases: [string, (dataDir: string, session: number) => number][] = [
    ['the server', (dataDir) => runningServer(dataDir)],
    ['the shell that watches over it', (dataDir) => parentOf(runningServer(dataDir))],
    ['one of its sessions', (_, session) => session],
  ];

  it.each(cases)('restarts it with every commit after kill -9 of %s', async (_, victim) => {
    const dataDir = lab.folder();
    const heard: string[] = [];
    const server = await lab.start({ dataDir, onDown: () => heard.push('down'), onUp: () => heard.push('up') });
    await query(server.connection, 'CREATE TABLE paid AS SELECT 1000 AS sats');
    const [session] = await query<{ pid: number }>(
      server.connection,
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'sluice owner%'`,
    );

    process.kill(victim(dataDir, session?.pid ?? 0), 'SIGKILL');
    await eventually(() => heard.includes('up'));
    expect(heard).toEqual(['down', 'up']);
    expect(await query(server.connection, 'SELECT sats FROM paid')).toEqual([{ sats: 1000 }]);
  });

  it('can be stopped during the recovery', async () => {
    const dataDir = lab.folder();
    const heard: string[] = [];
    const server = await lab.start({ dataDir, onDown: () => heard.push('down'), onUp: () => heard.push('up') });
    process.kill(runningServer(dataDir), 'SIGKILL');
    await eventually(() => heard.includes('down'));
    await server.stop();
    expect(heard).toEqual(['down']);
    expect(await EmbeddedPostgres.findRunning(dataDir)).toBeUndefined();
    expect(serverPid(dataDir) === undefined || !isAlive(serverPid(dataDir) ?? 0)).toBe(true);
  });
});

describe('beside another process', () => {
  it('is found by it, refuses a second start, naming the owner, and is waited for while it stops', async () => {
    const dataDir = lab.folder();
    const owner = lab.owner({ dataDir, durable: false });
    const { connection } = await owner.hears('started');
    expect(await EmbeddedPostgres.findRunning(dataDir)).toEqual(connection);
    await expect(lab.start({ dataDir, durable: false })).rejects.toThrow(
      `Sluice is already running (process ${owner.pid}) on the data folder`,
    );
    expect(isAlive(owner.pid)).toBe(true);
    expect(await EmbeddedPostgres.findRunning(dataDir)).toEqual(connection);
    const next = lab.start({ dataDir, durable: false });
    owner.process.stdin?.end();
    await owner.hears('stopped');
    expect(await query((await next).connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('creates one cluster when two processes start at once', async () => {
    const dataDir = lab.folder();
    const owners = [lab.owner({ dataDir, durable: false }), lab.owner({ dataDir, durable: false })];
    const winner = await eventually(() => owners.find((owner) => owner.hasSaid('started')));
    const loser = await eventually(() => owners.find((owner) => owner.hasSaid('refused')));
    expect(loser.hasSaid('refused')?.message).toContain(`Sluice is already running (process ${winner.pid})`);
  });
});
