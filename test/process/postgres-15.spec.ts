import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/embedded-postgres/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture } from '../support/fixture.js';

const NATIVE = join(__dirname, '../client/node_modules/postgres-15/native');

describe('PostgreSQL 15, the oldest supported version', () => {
  let postgres: EmbeddedPostgres;
  let app: TestApp;
  let dataDir: string;

  beforeAll(async () => {
    expect(existsSync(NATIVE)).toBe(true);
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-15-'));
    postgres = await EmbeddedPostgres.start({ dataDir, durable: false, nativeDir: NATIVE });
    app = await createTestApp({ database: { connection: { ...postgres.connection }, drop: async () => undefined } });
  });
  afterAll(async () => {
    await app.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('migrates, receives and pays inside and outside, with a clean ledger audit', async () => {
    const { rows } = await app.pool.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    expect(rows[0]?.version).toMatch(/^15\./);
    const fixture = new Fixture(app);
    const [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
    expect(await alice.pay((await bob.invoice(100)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await alice.pay((await fixture.outside(200)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await bob.sats()).toBe(100);
    await fixture.expectBalanced();
  });
});
