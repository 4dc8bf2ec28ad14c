import pg from 'pg';
import { Database, pgTypes } from '../../src/platform/database/index.js';
import { LightningSimulator } from '../../src/money/lightning/index.js';
import { SimulatorStore } from '../../src/money/lightning/simulator/index.js';
import { createTestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ServerProcess } from '../support/server-process.js';
import { WalletClient } from '../support/wallet-client.js';
import { Fixture, type Person } from '../support/fixture.js';

const SECRET_KEY = 'a secret for tests, long enough to be one';
/** Short delays: what a killed server left in flight ends within seconds. */
const IMPATIENT = {
  RECONCILE_AFTER_SECONDS: '0',
  PAYMENT_LEASE_SECONDS: '2',
  PAYMENT_NOT_FOUND_HOURS: '0.0005',
};
/** A slow machine still sends within half of it; the tests age what has to be older. */
export const LONG_LEASE = { PAYMENT_LEASE_SECONDS: '600' };
/** And than the time in which the node may still find a payment. */
const LONGER_THAN_A_LEASE = 900;
const UNTHROTTLED = {
  THROTTLE_ADDRESS: '1000000/60',
  THROTTLE_PRINCIPAL: '1000000/60',
  THROTTLE_ACCOUNT: '1000000/60',
  WORK_PER_ADDRESS: '1000',
  WORK_PER_PRINCIPAL: '1000',
};

/**
 * A server in a process of its own, to be killed, on a database of the run's PostgreSQL, which tests can read meanwhile. The
 * simulated world is on the same database and outlives the server, as a real node would.
 */
export class CrashingServer {
  private constructor(
    readonly server: ServerProcess,
    readonly database: TestDatabase,
    /** Connects to the database, past the server. */
    readonly pool: pg.Pool,
    readonly simulator: LightningSimulator,
    private readonly people: readonly Person[],
  ) {}

  /** Creates `count` people with `sats` each; no server runs yet. */
  static async prepare(
    count: number,
    sats: number,
    env: Readonly<Record<string, string>> = {},
    given?: TestDatabase,
  ): Promise<CrashingServer> {
    const database = given ?? (await createTestDatabase());
    const people = await populate(database, count, sats);
    const server = await ServerProcess.prepare({
      DATABASE_URL: urlOf(database.connection),
      SLUICE_DEMO_ON_EXTERNAL_DB: '1',
      DATABASE_POOL_SIZE: '8',
      LOG_LEVEL: 'warn',
      SECRET_KEY,
      ...IMPATIENT,
      ...UNTHROTTLED,
      ...env,
    });
    const pool = new pg.Pool({ ...database.connection, max: 12, types: pgTypes });
    pool.on('error', () => undefined);
    // The only listener for errors of a connection that is in use when its server is killed.
    pool.on('connect', (client) => void client.on('error', () => undefined));
    const simulated = new Database(pool);
    return new CrashingServer(server, database, pool, new LightningSimulator(new SimulatorStore(simulated, 'regtest')), people);
  }

  /** The n-th of the people, as a client of this server, or of another process of the installation. */
  person(n: number, server = this.server): WalletClient {
    const person = this.people[n % this.people.length] as Person;
    return new WalletClient(server.url, person.wallets.BTC, (scope) => person.as(scope));
  }

  outside(sats: number, faults = {}): Promise<{ paymentRequest: string; paymentHash: string }> {
    return this.simulator.createOutsideInvoice({ amountMsat: BigInt(sats) * 1000n, faults });
  }

  /** Makes a payment older than `LONG_LEASE`, and due, unless it is both already. */
  older(paymentHash: string): Promise<unknown> {
    return this.pool.query(
      `UPDATE payment SET created_at = created_at - make_interval(secs => $2), next_check_at = now(),
              not_found_at = not_found_at - make_interval(secs => $2)
        WHERE payment_hash = $1 AND (next_check_at > now() OR not_found_at > now() - make_interval(secs => $2)
                                     OR created_at > now() - make_interval(secs => $2))`,
      [paymentHash, LONGER_THAN_A_LEASE],
    );
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.pool.end();
    await this.database.drop();
  }
}

async function populate(database: TestDatabase, count: number, sats: number): Promise<Person[]> {
  const app = await createTestApp({ database: { ...database, drop: async () => undefined }, env: { SECRET_KEY } });
  const fixture = new Fixture(app);
  try {
    return await Promise.all(Array.from({ length: count }, () => fixture.user({ sats })));
  } finally {
    await app.close();
  }
}

function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  const url = new URL(`postgres://localhost/${database}`);
  url.searchParams.set('host', String(host));
  url.searchParams.set('port', String(port));
  url.username = String(user);
  url.password = typeof password === 'string' ? password : '';
  return url.href;
}
