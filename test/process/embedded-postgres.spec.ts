import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Binaries } from '../../src/platform/embedded-postgres/binaries.js';
import { EmbeddedPostgres, EmbeddedPostgresError } from '../../src/platform/embedded-postgres/index.js';
import { isAlive, PostgresLab, query, serverPid } from '../support/postgres-lab.js';

const lab = new PostgresLab();
afterEach(() => lab.close());

describe('an embedded PostgreSQL', () => {
  it('leaves no process behind when it is stopped, also twice', async () => {
    const dataDir = lab.folder();
    const server = await lab.start({ dataDir, durable: false });
    const pid = serverPid(dataDir) ?? 0;
    expect(isAlive(pid)).toBe(true);
    await Promise.all([server.stop(), server.stop()]);
    expect(isAlive(pid)).toBe(false);
    expect(serverPid(dataDir)).toBeUndefined();
    expect(await EmbeddedPostgres.findRunning(dataDir)).toBeUndefined();
  });

  it('keeps commits, requires a password, and listens on no network', async () => {
    const { connection } = await lab.start({ dataDir: lab.folder() });
    const [settings] = await query(
      connection,
      `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commit,
              current_setting('listen_addresses') AS addresses, current_setting('data_checksums') AS checksums, current_setting('server_encoding') AS encoding`,
    );
    expect(settings).toEqual({ fsync: 'on', pages: 'on', commit: 'on', addresses: '', checksums: 'on', encoding: 'UTF8' });
    await expect(query({ ...connection, password: 'wrong' }, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  describe('with a cluster that is there', () => {
    const own = new PostgresLab();
    const dataDir = own.folder();
    const cluster = join(dataDir, 'postgres/cluster');
    beforeAll(async () => {
      const first = await own.start({ dataDir });
      await query(first.connection, 'CREATE TABLE kept AS SELECT 21 AS sats');
      await first.stop();
    });
    afterAll(() => own.close());

    it.each([
      ['settings with which a power failure could lose a payment', 'fsync = off', /fsync = off, and payments could be lost/],
      [
        'invalid settings, with PostgreSQL’s own error',
        'shared_buffers = plenty',
        /did not start .* invalid value for parameter "shared_buffers": "plenty"/s,
      ],
    ])('refuses %s', async (_what, line, sentence) => {
      const settings = join(cluster, 'postgresql.conf');
      const before = readFileSync(settings);
      appendFileSync(settings, `${line}\n`);
      await expect(own.start({ dataDir })).rejects.toThrow(sentence);
      const pid = serverPid(dataDir);
      expect(pid !== undefined && isAlive(pid)).toBe(false);
      writeFileSync(settings, before);
    });

    it('refuses another major version with one sentence, and does not change it', async () => {
      const version = join(cluster, 'PG_VERSION');
      writeFileSync(version, '17\n');
      const before = readdirSync(cluster);
      const refusal = own.start({ dataDir });
      await expect(refusal).rejects.toBeInstanceOf(EmbeddedPostgresError);
      await expect(refusal).rejects.toThrow(/created by PostgreSQL 17; this is PostgreSQL 18.*pg_dump.*DATABASE_URL/);
      expect(readdirSync(cluster)).toEqual(before);
      writeFileSync(version, '18\n');
    });

    it('keeps its data', async () => {
      const { connection } = await own.start({ dataDir });
      expect(await query(connection, 'SELECT sats FROM kept')).toEqual([{ sats: 21 }]);
    });
  });

  it('refuses a folder that is no cluster instead of filling it', async () => {
    const dataDir = lab.folder();
    mkdirSync(join(dataDir, 'postgres/cluster'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/cluster/holiday.jpg'), '');
    await expect(lab.start({ dataDir, durable: false })).rejects.toThrow(/is not a PostgreSQL data folder/);
  });

  it('ignores the remains of a crashed first start', async () => {
    const dataDir = lab.folder();
    const half = join(dataDir, 'postgres/cluster.new-abc123');
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, 'PG_VERSION'), '18\n');
    await (await lab.start({ dataDir, durable: false })).stop();
    await lab.start({ dataDir, durable: false });
    expect(existsSync(half)).toBe(false);
  });

  it('uses another path when the folder’s is too long for a socket', async () => {
    const dataDir = join(lab.folder(), 'x'.repeat(120));
    const { connection } = await lab.start({ dataDir, durable: false });
    expect(connection.host.length).toBeLessThan(88);
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    rmSync(connection.host, { recursive: true });
  });

  it('creates the symbolic links that an install without scripts lacks', async () => {
    const copy = join(lab.folder(), 'native');
    cpSync((await Binaries.locate()).dir, copy, { recursive: true, verbatimSymlinks: true });
    const library = join(copy, 'lib/libicui18n.so.60');
    const target = readlinkSync(library);
    for (const name of readdirSync(join(copy, 'lib'))) if (/^libicu.*\.60$/.test(name)) rmSync(join(copy, 'lib', name));
    await lab.start({ dataDir: lab.folder(), durable: false, nativeDir: copy });
    expect(readlinkSync(library)).toBe(target);
  });

  it('reports that the programs cannot run', async () => {
    await expect(lab.start({ dataDir: lab.folder(), nativeDir: lab.folder() })).rejects.toThrow(/cannot run here: .* Set DATABASE_URL/);
  });
});
