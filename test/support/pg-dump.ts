import { execFileSync } from 'node:child_process';

function majorOf(program: string): number {
  try {
    return Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1]);
  } catch {
    return 0;
  }
}

/** Tests that need pg_dump and pg_restore, 15 or newer: where none is installed, Jest skips these alone and lists them by name. */
export const describeWithPgDump = Math.min(majorOf('pg_dump'), majorOf('pg_restore')) >= 15 ? describe : describe.skip;
