import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { describeWithNewPgBouncer, describeWithPgBouncer, PgBouncer } from '../support/pgbouncer.js';
import { Fixture } from '../support/fixture.js';

let database: TestDatabase;
let pooler: PgBouncer;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await pooler.close();
  await database.drop();
});

/** The application behind the pooler; with `direct`, migrations and live updates connect to the server itself. */
async function start({ direct = true } = {}): Promise<TestApp> {
  const { host, user, database: name } = database.connection;
  const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(String(host))}`;
  return createTestApp({
    database: { connection: pooler.connection, drop: async () => undefined },
    env: { ...(direct && { DATABASE_DIRECT_URL: url }) },
  });
}

async function expectToWork(app: TestApp): Promise<void> {
  const fixture = new Fixture(app);
  const [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  const invoices = await Promise.all(Array.from({ length: 20 }, () => bob.invoice(10)));
  const answers = await Promise.all(invoices.map(({ paymentRequest }) => alice.pay(paymentRequest)));
  expect(answers.map(({ status }) => status)).toEqual(invoices.map(() => 'SUCCESS'));
  await fixture.expectBalanced();
  await app.close();
}

describeWithPgBouncer('behind PgBouncer', () => {
  it('Sluice works in session mode', async () => {
    pooler = await PgBouncer.start(database.connection, { pool_mode: 'session' });
    await expectToWork(await start());
  });

  it('Sluice does not start in transaction mode without prepared statements, and prints what to do', async () => {
    pooler = await PgBouncer.start(database.connection, { pool_mode: 'transaction' });
    await expect(start()).rejects.toThrow(/PgBouncer 1\.21 or newer with max_prepared_statements/);
  });

  it('Sluice does not start in transaction mode beside other clients', async () => {
    pooler = await PgBouncer.start(database.connection, { pool_mode: 'transaction', default_pool_size: 3 });
    const others = await Promise.all([1, 2].map(() => pooler.client()));
    let busy = true;
    const work = others.map(async (client) => {
      while (busy) await client.query('SELECT pg_sleep(0.001)');
    });
    await expect(start()).rejects.toThrow(/PgBouncer 1\.21 or newer with max_prepared_statements/);
    busy = false;
    await Promise.all(work);
    await Promise.all(others.map((client) => client.end()));
  });
});

describeWithNewPgBouncer('behind PgBouncer in transaction mode that carries prepared statements', () => {
  const LIMIT = `ALTER ROLE CURRENT_USER IN DATABASE`;

  beforeEach(async () => {
    pooler = await PgBouncer.start(database.connection, { pool_mode: 'transaction', max_prepared_statements: 200 });
  });

  it('Sluice requires the direct address for events', async () => {
    await expect(start({ direct: false })).rejects.toThrow('Set DATABASE_DIRECT_URL');
  });

  it('Sluice works when the role has the limits, and refuses the start otherwise', async () => {
    await expect(start()).rejects.toThrow(/ALTER ROLE \w+ SET statement_timeout = 12000; ALTER ROLE \w+ SET lock_timeout = 1000/);
    const administrator = await pooler.client();
    await administrator.query(`${LIMIT} ${database.connection.database} SET statement_timeout = 12000`);
    await administrator.query(`${LIMIT} ${database.connection.database} SET lock_timeout = 1000`);
    await administrator.end();
    await pooler.close();
    pooler = await PgBouncer.start(database.connection, { pool_mode: 'transaction', max_prepared_statements: 200 });
    await expectToWork(await start());
  });
});
