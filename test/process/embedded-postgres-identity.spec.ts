import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Binaries } from '../../src/platform/embedded-postgres/binaries.js';
import { Runner } from '../../src/platform/embedded-postgres/runner.js';
import { PostgresLab, query } from '../support/postgres-lab.js';

const lab = new PostgresLab();
afterEach(() => lab.close());

const NOBODY = 65534;
/** Neither root, nor the user that PostgreSQL runs as. */
const STRANGER = 65533;
const isRoot = process.getuid?.() === 0;
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A copy of the programs, readable by all users or by root alone. */
async function copyOfBinaries(mode: number): Promise<string> {
  const copy = join(lab.folder(mode), 'native');
  cpSync((await Binaries.locate()).dir, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function canUnshare(): boolean {
  return spawnSync('unshare', ['--user', `--map-user=${NOBODY}`, 'true']).status === 0;
}

describe('access to the embedded database', () => {
  it('is limited to its own user and root: others can read neither socket, cluster nor password', async () => {
    const dataDir = lab.folder();
    const { connection } = await lab.start({ dataDir });
    expect(modeOf(connection.host)).toBe('700');
    expect(modeOf(join(dataDir, 'postgres/cluster'))).toBe('700');
    expect(modeOf(join(dataDir, 'postgres/password'))).toBe('600');
    expect(modeOf(join(dataDir, 'postgres/postgres.log'))).toBe('600');
    if (!isRoot) return;
    const knock = `require('net').connect(process.argv[1]).on('connect', () => console.log('in')).on('error', (e) => console.log(e.code))`;
    const socket = join(connection.host, '.s.PGSQL.5432');
    expect(execFileSync(process.execPath, ['-e', knock, socket], { uid: STRANGER, gid: STRANGER, cwd: '/', encoding: 'utf8' })).toBe(
      'EACCES\n',
    );
  });
});

describe('as another user than root', () => {
  it('runs as that user', async () => {
    const dataDir = lab.folder();
    if (!isRoot) {
      await lab.start({ dataDir });
    } else {
      chownSync(dataDir, NOBODY, NOBODY);
      const owner = lab.owner({ dataDir, uid: NOBODY, nativeDir: await copyOfBinaries(0o755) });
      await owner.hears('started');
    }
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(isRoot ? NOBODY : process.getuid?.());
  });
});

if (isRoot) {
  describe('as root', () => {
    it('runs as another user, who owns the cluster', async () => {
      const dataDir = lab.folder();
      await lab.start({ dataDir, durable: false, nativeDir: await copyOfBinaries(0o755) });
      expect(statSync(join(dataDir, 'postgres/cluster')).uid).not.toBe(0);
    });

    it('runs below a folder that only root may enter, or explains why it cannot', async () => {
      const start = lab.start({ dataDir: join(lab.folder(0o700), 'data') });
      if (canUnshare()) expect(await query((await start).connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      else await expect(start).rejects.toThrow(/may not enter .* SLUICE_DATA_DIR/);
    });

    it('runs programs that only root may read', async () => {
      const server = await lab.start({ dataDir: lab.folder(), durable: false, nativeDir: await copyOfBinaries(0o700) });
      expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('takes over a cluster that was copied by root', async () => {
      const open = await copyOfBinaries(0o755);
      const dataDir = lab.folder();
      await (await lab.start({ dataDir, nativeDir: open })).stop();
      execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]);
      const server = await lab.start({ dataDir, nativeDir: open });
      expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('copies the programs beside the data when they cannot be read otherwise, once', async () => {
      const home = lab.folder();
      const binaries = await Binaries.locate(await copyOfBinaries(0o700));
      const first = Runner.choose(binaries, home, false);
      expect(first.binaries.dir).toBe(join(home, `postgresql-${binaries.version}`));
      await first.run('initdb', ['--version']);
      expect(Runner.choose(binaries, home, false).binaries.dir).toBe(first.binaries.dir);
      expect(readdirSync(home)).toHaveLength(1);
    });

    it('refuses with one sentence when no user can run it', async () => {
      const home = join(lab.folder(0o700), 'home');
      mkdirSync(home);
      const binaries = await Binaries.locate();
      expect(() => Runner.choose(binaries, home, false)).toThrow(/may not enter .*home. Set SLUICE_DATA_DIR/);
    });
  });

  describe('as a user without a name', () => {
    it('refuses with one sentence', async () => {
      const dataDir = lab.folder();
      chownSync(dataDir, 12_345, 12_345);
      const owner = lab.owner({ dataDir, uid: 12_345, nativeDir: await copyOfBinaries(0o755) });
      expect((await owner.hears('refused')).message).toMatch(/user number 12345 has no entry in \/etc\/passwd/);
    });
  });
}
