import { mkdtempSync, readFileSync, rmSync, statSync, appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Manifest } from '../../src/platform/backup/manifest.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { eventually, type TestUser } from '../../src/testing/index.js';
import { LndDouble } from '../lightning/lnd/lnd-double.js';
import type { TestApp } from '../support/app.js';
import { auditsOf, BackupDrill, compare, consumedOf, creditsOf, publish, send, stateOf } from '../support/backup-drill.js';
import type { PostgresConnection } from '../../src/platform/embedded-postgres/index.js';
import { describeWithPgDump } from '../support/pg-dump.js';
import { PostgresLab, query } from '../support/postgres-lab.js';
import { command as sluice, PROJECT } from '../support/server-process.js';

const NATIVE_15 = join(PROJECT, 'test/client/node_modules/postgres-15/native');
const MSAT = 1_000n;
const SENT = { status: 'SUCCESS', errors: [] };
const STOPPED = { status: 'FAILURE', errors: [{ code: 'SENDS_STOPPED' }] };

const lab = new PostgresLab();
const scratch: string[] = [];
const drills: BackupDrill[] = [];
afterEach(async () => {
  for (const drill of drills.splice(0)) await drill.close();
  await lab.close();
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const newDrill = (): BackupDrill => {
  const drill = new BackupDrill();
  drills.push(drill);
  return drill;
};
/** A name for a backup that does not exist yet. */
const backupName = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-backups-'));
  scratch.push(folder);
  return join(folder, 'today');
};
async function mustRun(variables: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await sluice(variables, ...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}
const urlOf = ({ host, port, user, password, database }: pg.ClientConfig): string =>
  `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

function both([one, two]: readonly TestUser[]): [TestUser, TestUser] {
  if (!one || !two) throw new Error('There are no people');
  return [one, two];
}

interface Place {
  readonly connection: pg.ClientConfig;
  /** With which commands find the database. */
  readonly variables: Readonly<Record<string, string>>;
}

interface Story {
  readonly drill: BackupDrill;
  readonly people: readonly TestUser[];
  /** In flight when the backup was taken, and settled afterwards. */
  readonly held: string;
  /** Made before the backup and paid after it; made after it; paid before it. */
  readonly open: string;
  readonly late: string;
  readonly early: string;
  /** An invoice of another node that was paid after the backup. */
  readonly lost: string;
}

/** A busy machine may end payments after their calls. */
const noneInFlight = (app: TestApp): Promise<unknown> =>
  eventually(async () => (await app.pool.query(`SELECT FROM payment WHERE state = 'in_flight'`)).rowCount === 0);

/** Takes a backup of a server under load, whose node and people continue after it. Returns when the server has ended. */
async function backUpUnderLoad(place: Place, path: string): Promise<Story> {
  const drill = newDrill();
  const { app, people } = await drill.begin(place.connection);
  const [alice, bob] = both(people);
  const { node } = drill;
  const heldRequest = node.invoiceOfOther(40n * MSAT, 'hold');
  const held = LndDouble.hashOf(heldRequest);
  expect(await send(app, alice, heldRequest)).toMatchObject({ status: 'PENDING' });
  const [open, early] = [await bob.invoice(31), await bob.invoice(32)];
  node.payFromOutside(early.paymentRequest);
  await eventually(async () => (await creditsOf(app, early.paymentHash)) === 1);
  await publish(app, 'before');
  await eventually(async () => (await consumedOf(app, ['before'])).length === 1);

  drill.load(people);
  await drill.more(12);
  const before = drill.done;
  const answer = JSON.parse(await mustRun(place.variables, 'backup', path, '--json')) as object;
  expect(answer).toMatchObject({ path, files: expect.any(Number), takenAt: expect.stringMatching(/Z$/) });
  // It was under load all the time.
  expect(drill.done).toBeGreaterThan(before);

  await drill.more(12);
  node.release(held);
  node.payFromOutside(open.paymentRequest);
  const late = await bob.invoice(33);
  node.payFromOutside(late.paymentRequest);
  const lost = node.invoiceOfOther(61n * MSAT);
  expect(await send(app, alice, lost)).toMatchObject({ errors: [] });
  await publish(app, 'between');
  await eventually(async () => (await creditsOf(app, late.paymentHash)) === 1);
  await drill.rest();
  await noneInFlight(app);
  expect((await sluice(place.variables, 'backup', path)).stderr).toContain('exists. A backup replaces nothing');
  const { rows } = await app.pool.query(`SELECT action, because FROM operator_action WHERE action = 'backup'`);
  expect(rows).toEqual([{ action: 'backup', because: 'a backup' }]);
  await drill.end(app);
  return { drill, people, held, open: open.paymentHash, late: late.paymentHash, early: early.paymentHash, lost };
}

/** What a restored server does beside the node of the first server. */
async function checkRestored({ drill, people, held, open, late, early, lost }: Story, connection: pg.ClientConfig): Promise<void> {
  const { node } = drill;
  const asked = drill.asked();
  // The sends are stopped before any server has started on it.
  const stopped = `SELECT database_state() AS state, (SELECT array_agg(cause) FROM payment_freeze) AS causes`;
  expect(await query(connection as PostgresConnection, stopped)).toEqual([{ state: 'restored', causes: ['reconciliation'] }]);
  const app = await drill.open(connection);
  // The people of the first server, with their keys.
  const [alice, bob] = both(people.map((person) => Object.assign(Object.create(person) as TestUser, { app })));
  expect(await send(app, alice, node.invoiceOfOther(1n * MSAT))).toEqual(STOPPED);
  await eventually(async () => (await compare(app)) === 'compared');

  // What the node has settled since is booked, each once; what has no invoice any more waits for the operator.
  await noneInFlight(app);
  expect(await stateOf(app, held)).toBe('settled');
  await eventually(async () => (await creditsOf(app, open)) === 1);
  const unclaimed = async (): Promise<string[]> =>
    (await app.pool.query<{ hash: string }>('SELECT payment_hash AS hash FROM settlement_review')).rows.map(({ hash }) => hash);
  await eventually(async () => (await unclaimed()).includes(late));
  expect(await creditsOf(app, early)).toBe(1);

  // What is unknown is listed, all of it and nothing else, and nothing was sent.
  const known = (await app.pool.query<{ hash: string }>(`SELECT payment_hash AS hash FROM payment WHERE kind = 'ln'`)).rows.map(
    ({ hash }) => hash,
  );
  const report = await app.get(ReconciliationService).report(1);
  const unexplained = report.unexplained.map(({ paymentHash }) => paymentHash);
  expect(unexplained.toSorted()).toEqual(
    drill
      .sentByNode()
      .filter((hash) => !known.includes(hash))
      .toSorted(),
  );
  expect(unexplained).toContain(LndDouble.hashOf(lost));
  expect(unexplained.length).toBeGreaterThan(4);
  expect(report.unknownToNode).toEqual([]);
  expect(await send(app, alice, node.invoiceOfOther(1n * MSAT))).toEqual(STOPPED);
  expect(drill.asked()).toBe(asked);
  // The ledger and the node agree, but for what is listed, and what the channels had at first.
  const cost = report.unexplained.reduce((sum, { amountMsat, feeMsat }) => sum + amountMsat + feeMsat, 0n);
  expect(report.differenceMsat).toBe(1_000_000_000n - cost);

  expect(await app.get(ReconciliationService).accept(report.findings ?? '', 'ann', 'corrected')).toBe(true);
  const allowed = node.invoiceOfOther(3n * MSAT);
  expect(await send(app, alice, allowed)).toMatchObject({ errors: [] });
  await eventually(async () => (await stateOf(app, LndDouble.hashOf(allowed))) === 'settled');
  const payments = drill.sentByNode().length;
  await send(app, alice, lost);
  expect(drill.sentByNode()).toHaveLength(payments);
  expect(await send(app, bob, (await alice.invoice(4)).paymentRequest)).toEqual(SENT);
  await alice.fund(8);
  await checkEventsAndJobs(app, drill);
  expect(await auditsOf(app)).toEqual([]);
}

/** A consumer continues after its position; the events that were lost are gone, and new ones have positions after all others. */
async function checkEventsAndJobs(app: TestApp, drill: BackupDrill): Promise<void> {
  drill.consume(app);
  await publish(app, 'after');
  await eventually(async () => (await consumedOf(app, ['after'])).length === 1);
  expect(await consumedOf(app, ['before', 'between', 'after'])).toEqual(['before', 'after']);
  const { rows } = await app.pool.query<{ action: string }>(
    `SELECT action FROM operator_action WHERE action IN ('backup', 'restore') ORDER BY id`,
  );
  expect(rows.at(-1)).toEqual({ action: 'restore' });
  const mark = async (): Promise<Date | undefined> =>
    (await app.pool.query<{ at: Date }>('SELECT audited_until AS at FROM ledger_audit_mark')).rows[0]?.at;
  const before = await mark();
  await eventually(async () => {
    expect(await auditsOf(app)).toEqual([]);
    return (await mark())?.getTime() !== before?.getTime();
  });
}

describe('a backup of the embedded database', () => {
  const embedded = async (dataDir = lab.folder()): Promise<Place> => ({
    connection: { ...(await lab.start({ dataDir })).connection },
    variables: { SLUICE_DATA_DIR: dataDir },
  });

  it('is taken under load, and restored beside a node that went on', async () => {
    const path = backupName();
    const story = await backUpUnderLoad(await embedded(), path);
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Manifest;
    expect(manifest).toMatchObject({ kind: 'embedded', postgresMajor: 18, pgDumpMajor: null });
    expect(manifest.files.filter(({ path: file }) => /^cluster\/pg_wal\/[0-9A-F]{24}$/.test(file)).length).toBeGreaterThan(0);
    expect(existsSync(`${path}.partial`)).toBe(false);
    expect([statSync(path).mode & 0o777, statSync(join(path, 'cluster/PG_VERSION')).mode & 0o777]).toEqual([0o700, 0o600]);
    const secrets = manifest.files.map(({ path: file }) => file).filter((file) => /password|secret|demo\.json/.test(file));
    expect(secrets).toEqual([]);

    const dataDir = lab.folder();
    const variables = { SLUICE_DATA_DIR: dataDir, SECRET_KEY: 'a secret for tests, long enough to be one' };
    expect(await mustRun(variables, 'restore', path)).toContain('it sends nothing before it has compared');
    expect(await mustRun(variables, 'audit')).toMatch(/^Ledger OK /);
    const place = await embedded(dataDir);
    await checkRestored(story, place.connection);
  });

  it('is refused a target in use, and needs a flag to move a database aside', async () => {
    const place = await embedded();
    const dataDir = place.variables['SLUICE_DATA_DIR'] ?? '';
    const drill = newDrill();
    const { app } = await drill.begin(place.connection);
    const path = backupName();
    await mustRun(place.variables, 'backup', path, '--because', 'before an upgrade');
    const used = await sluice(place.variables, 'restore', path, '--replace');
    expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('Sluice is already running')]);
    await app.pool.query('CREATE TABLE since AS SELECT 1');
    await drill.close();
    await lab.stopServers();

    const full = await sluice(place.variables, 'restore', path);
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('move the database aside with --replace')]);
    const result = JSON.parse(await mustRun(place.variables, 'restore', path, '--replace', '--json')) as { movedTo: string };
    expect(existsSync(join(result.movedTo, 'PG_VERSION'))).toBe(true);
    const again = await lab.start({ dataDir });
    const tables = `SELECT to_regclass('since') IS NULL AS gone, database_state() AS state`;
    expect(await query(again.connection, tables)).toEqual([{ gone: true, state: 'restored' }]);
    await expect(query({ ...again.connection, password: 'wrong' }, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    await again.stop();

    // A restored cluster has a timeline of its own, and can be backed up and restored too.
    await mustRun(place.variables, 'backup', `${path}-again`);
    await mustRun({ SLUICE_DATA_DIR: lab.folder() }, 'restore', `${path}-again`);
  });

  it('is not restored when its log ends too early, or a file is not as it was; then nothing changes', async () => {
    const place = await embedded();
    await newDrill().begin(place.connection);
    const [path, other] = [backupName(), lab.folder()];
    await mustRun(place.variables, 'backup', path);
    const restore = async (): Promise<string> => (await sluice({ SLUICE_DATA_DIR: other }, 'restore', path)).stderr;
    const text = readFileSync(join(path, 'manifest.json'), 'utf8');
    const { files, ...rest } = JSON.parse(text) as Manifest;
    const withoutLog = files.filter(({ path: file }) => !/pg_wal\/[0-9A-F]{24}$/.test(file));
    expect(withoutLog.length).toBeLessThan(files.length);
    writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...rest, files: withoutLog }));
    expect(await restore()).toContain('PostgreSQL did not start');
    writeFileSync(join(path, 'manifest.json'), text);
    const table = files.find(({ path: file }) => /base\/\d+\/\d+$/.test(file))?.path ?? '';
    appendFileSync(join(path, table), 'x');
    expect(await restore()).toContain(`The backup is damaged: ${table}`);
    rmSync(join(path, table));
    expect(await restore()).toContain(`The backup is incomplete: ${table} is missing`);
    expect([existsSync(join(other, 'postgres/cluster')), existsSync(join(other, 'postgres/restoring'))]).toEqual([false, false]);
  });

  it('by other means is marked as restored by hand', async () => {
    const place = await embedded();
    const { app } = await newDrill().begin(place.connection);
    expect(await compare(app)).toBe('compared');
    const mark = async (): Promise<unknown> => (await app.pool.query('SELECT xid FROM database_mark')).rows[0];
    const before = await mark();
    const state = `SELECT database_state() AS state, (SELECT array_agg(cause) FROM payment_freeze) AS causes`;
    expect(await query(place.connection as PostgresConnection, state)).toEqual([{ state: 'sound', causes: null }]);
    await mustRun(place.variables, 'restore', '--in-place', '--because', 'a snapshot of the disk');
    const { rows } = await app.pool.query(`SELECT action, because FROM operator_action WHERE action = 'restore'`);
    expect(rows).toEqual([{ action: 'restore', because: 'a snapshot of the disk' }]);
    // Compared with the node, it is marked anew, and the sends are allowed again.
    await eventually(async () => (await compare(app)) === 'compared');
    expect(await query(place.connection as PostgresConnection, state)).toEqual([{ state: 'sound', causes: null }]);
    expect(await mark()).not.toEqual(before);
    expect((await sluice(place.variables, 'restore', backupName(), '--in-place')).code).toBe(2);
  });

  it('refuses what it cannot do, with a sentence', async () => {
    const dataDir = lab.folder();
    const path = backupName();
    expect((await sluice({ SLUICE_DATA_DIR: dataDir }, 'backup', path)).stderr).toContain('No Sluice data in');
    expect((await sluice({ SLUICE_DATA_DIR: dataDir }, 'backup')).code).toBe(2);
    await (await lab.start({ dataDir })).stop();
    expect((await sluice({ SLUICE_DATA_DIR: dataDir }, 'backup', path)).stderr).toContain('no tables of this version');
    expect(existsSync(`${path}.partial`)).toBe(false);
    mkdirSync(`${path}.partial`);
    expect((await sluice({ SLUICE_DATA_DIR: dataDir }, 'backup', path)).stderr).toContain('another backup is being written');
    expect((await sluice({ SLUICE_DATA_DIR: dataDir }, 'restore', `${path}.partial`)).stderr).toContain(
      'is not a backup that Sluice has made',
    );
  });
});

describeWithPgDump('a backup of an external database', () => {
  /** A server of its own. Its database is not known as the embedded one of a data folder. */
  const external = async (options: { nativeDir?: string } = {}): Promise<Place> => {
    const { connection } = await lab.start({ dataDir: lab.folder(), ...options });
    const variables = { DATABASE_URL: urlOf(connection), SLUICE_DEMO_ON_EXTERNAL_DB: '1', SLUICE_DATA_DIR: lab.folder() };
    return { connection: { ...connection }, variables: { ...variables, SECRET_KEY: 'a secret for tests, long enough to be one' } };
  };

  it('is taken under load, and restored into a newer PostgreSQL whose transaction numbers are lower', async () => {
    const source = await external({ nativeDir: NATIVE_15 });
    await query(
      source.connection as PostgresConnection,
      `DO $$ BEGIN FOR n IN 1 .. 50000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
    );
    const path = backupName();
    const story = await backUpUnderLoad(source, path);
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Manifest;
    expect(manifest).toMatchObject({ kind: 'external', postgresMajor: 15, files: [{ path: 'database.dump' }] });

    const target = await external();
    const next = async ({ connection }: Place): Promise<number> =>
      Number((await query<{ xid: string }>(connection as PostgresConnection, 'SELECT pg_current_xact_id()::text AS xid'))[0]?.xid);
    expect(await next(target)).toBeLessThan((await next(source)) / 2);
    await mustRun(target.variables, 'restore', path);
    expect(await mustRun(target.variables, 'audit')).toMatch(/^Ledger OK /);
    const full = await sluice(target.variables, 'restore', path);
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    await checkRestored(story, target.connection);
  });

  it('needs pg_dump of the version of the server, and names it', async () => {
    const place = await external();
    const drill = newDrill();
    await drill.begin(place.connection);
    const { code, stderr } = await sluice(place.variables, 'backup', backupName(), '--pg-dump', '/usr/bin/no-such-pg_dump');
    expect([code, stderr]).toEqual([1, expect.stringContaining('pg_dump of PostgreSQL 18 or newer is missing')]);
  });
});
