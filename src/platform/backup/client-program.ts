import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { programEnvironment } from '../config/index.js';
import { BackupError } from './backup.error.js';
import type { Session } from './session.js';
import { chmod } from 'node:fs/promises';
import type { BackupDraft } from './backup-draft.js';
import { contentOf } from './durable-file.js';

const run = promisify(execFile);
const OUTPUT_CHARACTERS = 4_000;

interface ClientProgram {
  readonly path: string;
  readonly major: number;
}

/**
 * Finds the program on PATH, or at a given path. It must not be older than `major`: it must know all that the server has.
 * @throws BackupError that names the program and the version
 */
export async function findProgram(name: 'pg_dump' | 'pg_restore', major: number, path: string = name): Promise<ClientProgram> {
  const found = await majorOf(path);
  if (found !== undefined && found >= major) return { path, major: found };
  const instead = found === undefined ? '' : ` (found: version ${found})`;
  throw new BackupError(
    `${name} of PostgreSQL ${major} or newer is missing${instead}. Install the client programs (Debian: postgresql-client-${major}), or name one by --${name.replace('_', '-')} <path>`,
  );
}

async function majorOf(path: string): Promise<number | undefined> {
  const answer = await run(path, ['--version']).catch(() => undefined);
  return answer && Number(/\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1]);
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
