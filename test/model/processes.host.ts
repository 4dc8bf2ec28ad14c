import pg from 'pg';
import { pgTypes, Database } from '../../src/platform/database/index.js';
import { LightningSimulator } from '../../src/money/lightning/index.js';
import { SimulatorStore } from '../../src/money/lightning/simulator/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp } from '../support/app.js';
import { urlOf, type TestDatabase } from '../support/database.js';
import { Fixture, type Person } from '../support/fixture.js';
import { PostgresLab, serverPid } from '../support/postgres-lab.js';
import { ServerProcess } from '../support/server-process.js';
import { ENV, type Host } from './host.js';

const VARIABLES = {
  ...ENV,
  SLUICE_DEMO_ON_EXTERNAL_DB: '1',
  DATABASE_POOL_SIZE: '8',
  LOG_LEVEL: 'warn',
  SECRET_KEY: 'a secret for tests, long enough to be one',
  PAYMENT_NOT_FOUND_HOURS: '0.0005',
  WORK_PER_ADDRESS: '1000',
  WORK_PER_PRINCIPAL: '1000',
};

/** Several processes on one PostgreSQL of their own. Any of them can be killed, and so can the PostgreSQL. */
export class Processes implements Host {
  /** Processes that start. */
  private readonly starting = new Map<ServerProcess, Promise<void>>();

  private constructor(
    private readonly postgres: { readonly lab: PostgresLab; readonly dataDir: string },
    private readonly servers: readonly ServerProcess[],
    readonly pool: pg.Pool,
    readonly simulator: LightningSimulator,
    readonly people: readonly Person[],
  ) {}

  static async start(count: number, people: number, sats: number): Promise<Processes> {
    const lab = new PostgresLab();
    const dataDir = lab.folder();
    const { connection } = await lab.start({ dataDir });
    const database: TestDatabase = { connection: { ...connection }, drop: async () => undefined };
    const app = await createTestApp({ database, env: { SECRET_KEY: VARIABLES.SECRET_KEY } });
    const fixture = new Fixture(app);
    const persons = await Promise.all(Array.from({ length: people }, () => fixture.user({ sats })));
    await app.close();
    const first = await ServerProcess.prepare({ ...VARIABLES, DATABASE_URL: urlOf(database) });
    const servers = [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => first.sibling())))];
    await Promise.all(servers.map((server) => server.start()));
    const pool = new pg.Pool({ ...connection, max: 6, types: pgTypes });
    pool.on('error', () => undefined);
    pool.on('connect', (client) => void client.on('error', () => undefined));
    return new Processes(
      { lab, dataDir },
      servers,
      pool,
      new LightningSimulator(new SimulatorStore(new Database(pool), 'regtest')),
      persons,
    );
  }

  /** People are spread over the processes that run. */
  url(person: number): string {
    const running = this.running;
    const server = running[person % running.length];
    if (!server) throw new Error('No process runs');
    return server.url;
  }

  /** Kills the process that serves a person, and starts it again meanwhile. Where it is the only one, this waits for its start. */
  async kill(person: number): Promise<void> {
    const server = this.running[person % this.running.length];
    if (!server) throw new Error('No process runs');
    await server.end('SIGKILL');
    this.startAgain(server);
    if (this.running.length === 0) await Promise.race(this.starting.values());
  }

  /** Kills all processes, and starts them once `meanwhile` has ended. */
  async killAll(meanwhile: () => Promise<void>): Promise<void> {
    await Promise.all(this.starting.values());
    await Promise.all(this.servers.map((server) => server.end('SIGKILL')));
    await meanwhile();
    for (const server of this.servers) this.startAgain(server);
    await Promise.race(this.starting.values());
  }

  /** Closes every connection to the database, also those that listen for events. */
  async cutConnections(): Promise<void> {
    await this.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  /** Kills PostgreSQL, and waits until the processes serve again. */
  async killPostgres(): Promise<void> {
    process.kill(serverPid(this.postgres.dataDir) ?? 0, 'SIGKILL');
    await eventually(async () => (await this.pool.query('SELECT 1')).rowCount === 1);
    await Promise.all(this.starting.values());
    await this.ready();
  }

  /** The processes do so each second. */
  async reconcile(): Promise<void> {
    await this.ready();
  }

  async restart(): Promise<void> {
    await Promise.all(this.starting.values());
    for (const server of this.servers) {
      await server.end('SIGTERM');
      await server.start();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.starting.values());
    for (const server of this.servers.slice(1)) if (server.isRunning) await server.end('SIGKILL');
    await this.servers[0]?.close();
    await this.pool.end();
    await this.postgres.lab.close();
  }

  private get running(): readonly ServerProcess[] {
    return this.servers.filter((server) => server.isRunning && !this.starting.has(server));
  }

  private async ready(): Promise<void> {
    for (const server of this.running) await eventually(async () => (await fetch(`${server.url}/health/ready`)).ok);
  }

  private startAgain(server: ServerProcess): void {
    const started = server.start().finally(() => this.starting.delete(server));
    this.starting.set(server, started);
    // Those who wait for it get the error too.
    started.catch(() => undefined);
  }
}
