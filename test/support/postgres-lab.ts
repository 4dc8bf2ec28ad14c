import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { EmbeddedPostgres, type EmbeddedPostgresOptions, type PostgresConnection } from '../../src/platform/embedded-postgres/index.js';
import { eventually } from '../../src/testing/eventually.js';

/** A line of output of postgres-owner.mjs. */
interface Said {
  readonly event: 'started' | 'refused' | 'down' | 'up' | 'stopped';
  readonly connection?: PostgresConnection;
  readonly message?: string;
}

/** A separate process that owns a server. */
export class Owner {
  private readonly said: Said[] = [];

  constructor(readonly process: ChildProcess) {
    if (process.stdout) createInterface({ input: process.stdout }).on('line', (line) => this.said.push(JSON.parse(line) as Said));
  }

  /** The event, if the process has reported it so far. */
  hasSaid(event: Said['event']): Said | undefined {
    return this.said.find((said) => said.event === event);
  }

  /** Waits until the process has reported this event. */
  hears(event: Said['event']): Promise<Said> {
    return eventually(() => this.hasSaid(event));
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Ends the process by `kill -9`, for which it cannot prepare. */
  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}

/** Folders and servers of one test; `close` removes them all. */
export class PostgresLab {
  private readonly folders: string[] = [];
  private readonly servers: EmbeddedPostgres[] = [];
  private readonly owners: Owner[] = [];

  /** An empty folder; by default, all users may enter it. */
  folder(mode = 0o755): string {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-lab-'));
    chmodSync(folder, mode);
    this.folders.push(folder);
    return folder;
  }

  async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const server = await EmbeddedPostgres.start(options);
    this.servers.push(server);
    return server;
  }

  /** Starts a server in a process of its own. */
  owner(options: EmbeddedPostgresOptions & { readonly uid?: number }): Owner {
    const program = fileURLToPath(new URL('./postgres-owner.mjs', import.meta.url));
    const owner = new Owner(spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] }));
    this.owners.push(owner);
    return owner;
  }

  async stopServers(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }

  async close(): Promise<void> {
    const pids = this.folders.map(serverPid).filter((pid) => pid !== undefined);
    await Promise.all([...this.owners.splice(0).map((owner) => owner.kill()), ...this.servers.splice(0).map((server) => server.stop())]);
    await Promise.all(pids.map((pid) => eventually(() => !isAlive(pid))));
    for (const folder of this.folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one statement on a connection of its own. @returns its rows */
export async function query<Row extends pg.QueryResultRow>(connection: PostgresConnection, text: string): Promise<Row[]> {
  const client = new pg.Client({ ...connection });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The process of the server that runs, or ran, on a data folder. */
export function serverPid(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The process that started this one. */
export function parentOf(pid: number): number {
  return processes().find((process) => process.pid === pid)?.parent ?? 0;
}

export function childrenOf(pid: number): number[] {
  return processes().flatMap((process) => (process.parent === pid ? [process.pid] : []));
}

/** A slim Linux has no `ps`, and other systems have no /proc. */
function processes(): { pid: number; parent: number }[] {
  if (process.platform !== 'linux') {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return table.map((line) => line.trim().split(/\s+/).map(Number)).map(([pid = 0, parent = 0]) => ({ pid, parent }));
  }
  return readdirSync('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) ? readIfThere(`/proc/${name}/status`) : '';
    return status ? [{ pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) }] : [];
  });
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
