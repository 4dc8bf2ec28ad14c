import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp } from '../support/app.js';
import { PostgresLab, query } from '../support/postgres-lab.js';

const SETTINGS = { wal_level: 'replica', max_wal_senders: '2', checkpoint_timeout: '1h', autovacuum: 'off' };
// The checkpoint that follows a promotion writes a changed page every 0.1 s: so it lasts for minutes on each machine.
const CHANGE_PAGES = `CREATE TABLE changed AS SELECT repeat(md5(n::text), 100) FROM generate_series(1, 6000) AS n`;
const STATE =
  'SELECT database_state() AS state, (SELECT timeline_id FROM pg_control_checkpoint()) AS "atCheckpoint", pg_is_in_recovery() AS "isStandby"';

const lab = new PostgresLab();
afterEach(() => lab.close());

describe('a standby that takes over', () => {
  it('is promoted from its first statement until it has been compared', async () => {
    const [first, second] = [lab.folder(), lab.folder()];
    const options = { durable: false, settings: SETTINGS };
    const origin = await lab.start({ ...options, dataDir: first });
    const app = await createTestApp({ database: { connection: { ...origin.connection }, drop: async () => undefined } });
    await app.close();
    await lab.stopServers();
    cpSync(join(first, 'postgres'), join(second, 'postgres'), { recursive: true });
    writeFileSync(join(second, 'postgres/cluster/standby.signal'), '');

    const { connection } = await lab.start({ ...options, dataDir: first });
    const primary_conninfo = `host=${connection.host} port=${connection.port} user=${connection.user}`;
    // It is up when it accepts writes.
    const promoted = lab.start({ dataDir: second, durable: false, settings: { ...SETTINGS, primary_conninfo } });
    const standby = { ...connection, host: join(second, 'postgres/socket') };
    await query(connection, CHANGE_PAGES);
    const [written] = await query<{ lsn: string }>(connection, 'SELECT pg_current_wal_insert_lsn()::text AS lsn');
    const replayed = `SELECT WHERE pg_last_wal_replay_lsn() >= '${written?.lsn}'`;
    await eventually(async () => (await query(standby, replayed).catch(() => [])).length === 1);
    expect(await query(standby, STATE)).toEqual([{ state: 'sound', atCheckpoint: 1, isStandby: true }]);

    await query(standby, 'SELECT pg_promote()');
    expect(await query(standby, STATE)).toEqual([{ state: 'promoted', atCheckpoint: 1, isStandby: false }]);
    await promoted;
    await query(standby, 'SELECT database_mark_renew()');
    expect(await query(standby, STATE)).toEqual([{ state: 'sound', atCheckpoint: 1, isStandby: false }]);
    await query(standby, 'CHECKPOINT');
    expect(await query(standby, STATE)).toEqual([{ state: 'sound', atCheckpoint: 2, isStandby: false }]);
  });
});
