import { execFileSync } from 'node:child_process';
import { readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { orNone } from '../kernel/or-none.js';
import type { ClusterFolder } from './cluster-folder.js';
import { findHolder, type LockHolder } from './owner-socket.js';
import type { Runner } from './runner.js';

/** Why a server cannot be started yet, and how long the caller waits for that to pass. */
export interface Obstacle {
  readonly reason: string;
  readonly patienceMs: number;
}

/** For an owner that was killed a moment ago: PostgreSQL may still list it. */
const SERVING_PATIENCE_MS = 300;
/** For an owner that is ending, or an operator's command that takes a moment. */
const OWNER_PATIENCE_MS = 5_000;
/** For a server that writes its data before it ends. */
const ENDING_PATIENCE_MS = 60_000;
const LOOKS = 10;
const BETWEEN_LOOKS_MS = 100;

/** Frees the cluster for a new server: ends a server without an owner, and removes a lock file that belongs to no server. */
export async function reclaimLock(folder: ClusterFolder, runner: Runner): Promise<Obstacle | undefined> {
  const holder = await lookRepeatedly(folder);
  if (holder.kind === 'busy') return stillBusy(folder);
  if (holder.kind === 'server') {
    if (holder.owner !== undefined) {
      const { serving } = folder;
      if (serving && String(serving.pid) === holder.owner && isAlive(serving.pid)) {
        const reason = `Sluice is already running at ${serving.url} (process ${serving.pid}) on the data folder ${folder.home}. Use it, stop it, or set SLUICE_DATA_DIR and PORT.`;
        return { reason, patienceMs: SERVING_PATIENCE_MS };
      }
      const reason = `Sluice is already running (process ${holder.owner}) on the data folder ${folder.home}. Stop it, or set SLUICE_DATA_DIR.`;
      return { reason, patienceMs: OWNER_PATIENCE_MS };
    }
    await runner.run('pg_ctl', ['stop', '-D', folder.data, '-m', 'fast', '-w']);
  }
  const { lock } = folder;
  if (lock && isAlive(lock.pid) && !isServerOf(lock.pid, folder.data)) folder.removeStaleLock(lock);
  return undefined;
}

export function stillBusy({ home }: ClusterFolder): Obstacle {
  return { reason: `The PostgreSQL in ${home} is still starting or stopping. Try again in a moment.`, patienceMs: ENDING_PATIENCE_MS };
}

/** An owner that starts or recovers has no connection for a moment; a server is abandoned only if it stays without one. */
async function lookRepeatedly(folder: ClusterFolder): Promise<LockHolder> {
  let holder: LockHolder = { kind: 'none' };
  for (let look = 0; look < LOOKS; look++) {
    const { lock } = folder;
    holder = lock ? await findHolder(folder.connection(lock)) : { kind: 'none' };
    if (holder.kind !== 'server' || holder.owner !== undefined) return holder;
    await delay(BETWEEN_LOOKS_MS);
  }
  return holder;
}

const isAlive = (pid: number): boolean => Number.isInteger(pid) && pid > 0 && orNone(() => process.kill(pid, 0)) === true;

/** After a crash any process may have the lock file's id. PostgreSQL runs inside its data folder; if that is unreadable, trust the lock. */
function isServerOf(pid: number, data: string): boolean {
  const program = (): string => execFileSync('/bin/ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' });
  if (process.platform === 'linux') return orNone(() => readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)) ?? true;
  return process.platform === 'darwin' ? (orNone(program)?.includes('postgres') ?? true) : true;
}
