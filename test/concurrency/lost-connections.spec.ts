import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Database, openDataSource, sql, type Tx } from '../../src/platform/database/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { Fixture } from '../support/fixture.js';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  await serves();
});
afterAll(() => app.close());

/** Registers a person: proves that the process lives and its database answers. */
const serves = (): Promise<unknown> => new Fixture(app).user();

/** Ends the server's side of a connection, as an operator or a failover does, and waits until it is gone. */
async function terminate(pid: number): Promise<void> {
  await app.pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually(async () => (await app.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 0);
}

const PID = sql`SELECT pg_backend_pid() AS pid`;
const pidOf = async (tx: Tx): Promise<number> => (await tx.query<{ pid: number }>(PID))[0]?.pid ?? 0;

/** The error of PostgreSQL, of its client, or of the operating system where a write comes first. */
const CUT = /terminat|connection|released|EPIPE|ECONNRESET/i;

describe('a database connection that closes between two statements', () => {
  it('of a transaction fails that transaction, and the process continues', async () => {
    const database = app.get(Database);
    const work = database.transaction(async (tx) => {
      await terminate(await pidOf(tx));
      return tx.query(PID);
    });
    await expect(work).rejects.toThrow(CUT);
    await serves();
    expect(await database.transaction(pidOf)).toBeGreaterThan(0);
  });

  it('fails the transaction too when it is noticed at the commit', async () => {
    const work = app.get(Database).transaction(async (tx) => terminate(await pidOf(tx)));
    await expect(work).rejects.toThrow(CUT);
    await serves();
  });

  it.each(['core', 'extension'])('of a migration of the %s refuses the start', async (whose) => {
    const database = await createTestDatabase({ migrated: false });
    class Cut1764999999000 implements MigrationInterface {
      readonly name = 'Cut1764999999000';
      async up(runner: QueryRunner): Promise<void> {
        const [row] = (await runner.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
        await terminate(row?.pid ?? 0);
        await runner.query('SELECT 1');
      }
      down = async (): Promise<void> => undefined;
    }
    const opening = openDataSource(
      {
        connection: database.connection,
        poolSize: 2,
        entities: [],
        migrations: whose === 'core' ? [Cut1764999999000] : [],
        functions: [],
        release: '0.0.0',
        extensions: whose === 'core' ? [] : [{ name: 'cut', migrations: [Cut1764999999000] }],
      },
      new Log('test', { log: () => undefined, warn: () => undefined, error: () => undefined }),
    );
    await expect(opening).rejects.toThrow(CUT);
    await database.drop();
  });
});
