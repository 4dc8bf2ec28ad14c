import { chmod } from 'node:fs/promises';
import type { BackupDraft } from './backup-draft.js';
import { findProgram, runProgram } from './client-program.js';
import { contentOf } from './durable-file.js';
import type { Session } from './session.js';

export const DUMP = 'database.dump';
/** Only a migration holds a lock that the dump waits for, for two seconds at most. The dump's own locks stop nothing else. */
const LOCK_WAIT_MS = 10_000;

export interface DumpOptions {
  readonly url: string;
  readonly pgDump: string | undefined;
  readonly postgresMajor: number;
}

/** @returns the major version of pg_dump */
export async function dump(session: Session, draft: BackupDraft, { url, pgDump, postgresMajor }: DumpOptions): Promise<number> {
  const program = await findProgram('pg_dump', postgresMajor, pgDump);
  const args = ['--format=custom', `--file=${draft.at(DUMP)}`, `--lock-wait-timeout=${LOCK_WAIT_MS}`];
  await runProgram(program, args, session, url);
  await chmod(draft.at(DUMP), 0o600);
  const content = await contentOf(draft.at(DUMP));
  if (content) draft.files.push({ path: DUMP, ...content });
  return program.major;
}
