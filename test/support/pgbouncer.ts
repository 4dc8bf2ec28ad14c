import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { StallingProxy } from '../concurrency/stalling-proxy.js';
import { eventually } from '../../src/testing/eventually.js';
import { freePort } from './app.js';

/** The first one found: a build made on purpose precedes the system's. */
const PLACES = ['/usr/local/bin/pgbouncer', '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];
const PROGRAM = PLACES.find(existsSync);
/** Whether this version can carry prepared statements from one server connection to the next (1.21 and newer). */
const CARRIES = PROGRAM !== undefined && / 1\.(2[1-9]|[3-9]\d)\./.test(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }));

/** Tests that need PgBouncer: where none is installed, Jest skips these alone and lists them by name. */
export const describeWithPgBouncer = PROGRAM ? describe : describe.skip;
export const describeWithNewPgBouncer = CARRIES ? describe : describe.skip;

/** A PgBouncer of its own in front of the test run's server. */
export class PgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly server: StallingProxy,
    readonly connection: pg.ClientConfig,
  ) {}

  static async start(database: pg.ClientConfig, settings: Readonly<Record<string, string | number>>): Promise<PgBouncer> {
    // Only its owner may use the server's socket, and PgBouncer does not run as root: it connects through a port.
    const server = await StallingProxy.start(database);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-pgbouncer-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    const target = `host=127.0.0.1 port=${server.connection.port} user=${database.user}`;
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      auth_type: 'any',
      unix_socket_dir: '',
      ...(CARRIES && { max_prepared_statements: 0 }),
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(file, ['[databases]', `* = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'));
    const child = spawn(PROGRAM ?? '', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
      return said.includes('process up');
    });
    return new PgBouncer(child, folder, server, { ...database, host: '127.0.0.1', port });
  }

  async client(): Promise<pg.Client> {
    const client = new pg.Client(this.connection);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
