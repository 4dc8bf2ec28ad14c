import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../config/index.js';
import { BackupError } from './backup.error.js';
import type { Session } from './session.js';
import { chmod } from 'node:fs/promises';
import type { BackupDraft } from './backup-draft.js';
import { contentOf } from './durable-file.js';

const run = promisify(execFile);
const OUTPUT_CHARACTERS = 4_000;
/** Where packages put the programs of several versions beside each other: Debian, Red Hat, Homebrew. */
const VERSIONED = [
  { folder: '/usr/lib/postgresql' },
  { folder: '/usr', prefix: 'pgsql-' },
  { folder: '/opt/homebrew/opt', prefix: 'postgresql@' },
  { folder: '/opt/homebrew/opt', prefix: 'libpq' },
];

interface ClientProgram {
  readonly path: string;
  readonly major: number;
}

/**
 * Finds the program of the nearest major version that is not older: it must know all that the server has, and an older server may not read the output of a newer one.
 * @throws BackupError that names the program and the version
 */
export async function findProgram(name: 'pg_dump' | 'pg_restore', major: number, given: string | undefined): Promise<ClientProgram> {
  const found: ClientProgram[] = [];
  for (const path of given === undefined ? placesOf(name) : [given]) {
    const its = await majorOf(path);
    if (its !== undefined) found.push({ path, major: its });
  }
  const [best] = found.filter((each) => each.major >= major).sort((one, other) => one.major - other.major);
  if (best) return best;
  const instead = found.length > 0 ? ` (found: ${found.map((each) => `${each.path} of version ${each.major}`).join(', ')})` : '';
  throw new BackupError(
    `${name} of PostgreSQL ${major} or newer is missing${instead}. Install the client programs (Debian: postgresql-client-${major}), or name one by --${name.replace('_', '-')} <path>`,
  );
}

function placesOf(name: string): string[] {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const onPath = (programEnvironment()['PATH'] ?? '').split(delimiter).filter(Boolean);
  const versioned = VERSIONED.flatMap(({ folder, prefix = '' }) =>
    entriesOf(folder)
      .filter((entry) => entry.startsWith(prefix))
      .map((entry) => join(folder, entry, 'bin')),
  );
  return [...onPath, ...versioned].map((folder) => join(folder, file));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function majorOf(path: string): Promise<number | undefined> {
  try {
    const { stdout } = await run(path, ['--version']);
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  } catch {
    return undefined;
  }
}

/** The password is in the environment of the program: other users of the machine see the command line. @throws BackupError */
export async function runProgram(
  { path }: ClientProgram,
  args: readonly string[],
  session: Session,
  url: string | undefined,
): Promise<void> {
  const child = spawn(path, [...args, '--no-password'], { env: environmentOf(session, url), stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-OUTPUT_CHARACTERS)));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new BackupError(`${path} failed: ${said.trim() || `status ${status}`}`);
}

function environmentOf({ place }: Session, url: string | undefined): NodeJS.ProcessEnv {
  const { host, port, user, database, password } = place;
  return {
    ...programEnvironment(),
    ...tlsOf(url),
    PGHOST: host,
    PGPORT: String(port),
    ...(user !== undefined && { PGUSER: user }),
    ...(database !== undefined && { PGDATABASE: database }),
    ...(typeof password === 'string' && password !== '' && { PGPASSWORD: password }),
  };
}

/** TLS as in the URL. "no-verify" is a word of Node's driver. */
function tlsOf(url = ''): NodeJS.ProcessEnv {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const names = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' };
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, variable]) => {
      const value = query.get(name);
      return value === null ? [] : [[variable, value === 'no-verify' ? 'require' : value]];
    }),
  );
}

export const DUMP = 'database.dump';
/** Only a migration holds a lock that the dump waits for, for two seconds at most. The dump's own locks stop nothing else. */
const LOCK_WAIT_MS = 10_000;

/** @returns the major version of pg_dump */
export async function dump(
  session: Session,
  draft: BackupDraft,
  url: string,
  postgresMajor: number,
  pgDump: string | undefined,
): Promise<number> {
  const program = await findProgram('pg_dump', postgresMajor, pgDump);
  const args = ['--format=custom', `--file=${draft.at(DUMP)}`, `--lock-wait-timeout=${LOCK_WAIT_MS}`];
  await runProgram(program, args, session, url);
  await chmod(draft.at(DUMP), 0o600);
  const content = await contentOf(draft.at(DUMP));
  if (content) draft.files.push({ path: DUMP, ...content });
  return program.major;
}
