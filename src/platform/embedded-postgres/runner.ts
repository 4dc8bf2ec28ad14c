import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';
import { orNone } from '../kernel/or-none.js';
import type { Binaries, Program } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** Only root can do this. The folder comes after its contents: when it has its owner, so has everything in it. */
export function chownRecursive(path: string, { uid, gid }: OsUser): void {
  const stat = lstatSync(path);
  if (stat.uid === uid && stat.gid === gid) return;
  if (stat.isDirectory()) for (const name of readdirSync(path)) chownRecursive(join(path, name), { uid, gid });
  lchownSync(path, uid, gid);
}

/** PostgreSQL gets nothing of Sluice's environment: it holds secrets, and a locale that would change PostgreSQL's messages. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
/** The user that runs PostgreSQL may have no access to Sluice's working directory. */
const SPAWN_OPTIONS = { cwd: parse(process.execPath).root, env: ENVIRONMENT };

/**
 * Runs PostgreSQL's programs as a user that they accept. They refuse root, so for root it is another user, or a user namespace
 * that maps root to another number: such a process still enters folders that only root may enter.
 */
export class Runner {
  private constructor(
    readonly binaries: Binaries,
    /** The user that must own the cluster; undefined when that is the user of this process, and no ownership changes. */
    readonly owner: OsUser | undefined,
    private readonly prefix: readonly string[],
    private readonly switched: boolean,
  ) {}

  /**
   * @param home folder of the database; it exists, and only this process's user may be able to reach it
   * @param namespaces whether to try user namespaces; containers often forbid them
   * @throws EmbeddedPostgresError when no user both may run PostgreSQL and reaches `home`
   */
  static choose(binaries: Binaries, home: string, namespaces = true): Runner {
    if (process.getuid?.() !== 0) {
      if (!orNone(userInfo))
        throw new EmbeddedPostgresError(
          `PostgreSQL needs a named user, and user number ${process.getuid?.()} has no entry in /etc/passwd. Add one, start Sluice as another user, or set DATABASE_URL.`,
        );
      return new Runner(binaries, undefined, [], false);
    }
    const account = findOsUser();
    if (!account)
      throw new EmbeddedPostgresError(
        'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody" to run it as. Start Sluice as another user.',
      );
    const reachesHome = succeeds('/bin/sh', ['-c', 'cd "$1"', 'sh', home], account);
    if (reachesHome && succeeds(binaries.path('postgres'), ['--version'], account)) return new Runner(binaries, account, [], true);
    const unshare = ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
    if (namespaces && succeeds('unshare', [...unshare.slice(1), binaries.path('postgres'), '--version']))
      return new Runner(binaries, { uid: 0, gid: 0 }, unshare, false);
    if (reachesHome) return new Runner(copyBinaries(binaries, home, account), account, [], true);
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and the user it would run as (number ${account.uid}) may not enter ${home}. ` +
        'Set SLUICE_DATA_DIR to a folder whose parents others may enter, or start Sluice as the user who owns it.',
    );
  }

  command(program: Program, args: readonly string[]): string[] {
    return [...this.prefix, this.binaries.path(program), ...args];
  }

  get options(): { cwd: string; env: Record<string, string>; uid?: number; gid?: number } {
    return { ...(this.switched ? this.owner : {}), ...SPAWN_OPTIONS };
  }

  /** Runs the program to its end. @throws Error with the program's error output */
  async run(program: Program, args: readonly string[]): Promise<void> {
    const [file = '', ...rest] = this.command(program, args);
    await promisify(execFile)(file, rest, this.options).catch((error: Error & { stderr?: string }) => {
      throw new Error(`${program} failed: ${error.stderr?.trim() || error.message}`);
    });
  }
}

/** The user that PostgreSQL's own packages create; otherwise the user that owns no files. */
function findOsUser(): OsUser | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid && uid !== '0') return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

const succeeds = (file: string, args: readonly string[], account?: OsUser): boolean =>
  orNone(() => execFileSync(file, args, { ...account, ...SPAWN_OPTIONS, stdio: 'ignore' })) !== undefined;

/** For an installation that only root may enter: copies 60 MB beside the data, which the other user reaches. */
function copyBinaries(binaries: Binaries, home: string, account: OsUser): Binaries {
  const copy = join(home, `postgresql-${binaries.version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(binaries.dir, draft, { recursive: true, verbatimSymlinks: true });
    chownRecursive(draft, account);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return binaries.at(copy);
}
