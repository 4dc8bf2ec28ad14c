import { createHash, randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder, writeOnce } from '../config/index.js';
import { orNone } from '../kernel/or-none.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { PostgresConnection } from './owner-socket.js';
import { chownRecursive, type OsUser } from './runner.js';
import { ADMINISTRATOR, DATABASE } from './settings.js';

export interface LockFile {
  readonly pid: number;
  readonly port: number;
  /** Folder of the socket; empty when it listens on TCP only. */
  readonly socketDir: string;
}

export interface ServerRecord {
  readonly pid: number;
  readonly url: string;
}

/** A socket's path may have 107 bytes; 20 of them are the slash and the name `.s.PGSQL.65535.lock`. */
const SOCKET_DIR_BYTES = 107 - 20;

export class ClusterFolder {
  readonly home: string;
  readonly data: string;
  readonly logFile: string;
  private readonly passwordFile: string;
  private readonly servingFile: string;

  constructor(dataDir: string) {
    this.home = join(resolve(dataDir), 'postgres');
    this.data = join(this.home, 'cluster');
    this.logFile = join(this.home, 'postgres.log');
    this.passwordFile = join(this.home, 'password');
    this.servingFile = join(this.home, 'serving.json');
  }

  /** @throws EmbeddedPostgresError when the data folder cannot be created, or is read-only */
  create(): void {
    try {
      makeFolder(this.home);
      accessSync(this.home, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new EmbeddedPostgresError(
        `Cannot write to ${this.home} (${(error as Error).message}). Fix the permissions or set SLUICE_DATA_DIR.`,
      );
    }
  }

  /** The major version that created the cluster, "18"; undefined when there is no cluster yet. */
  get version(): string | undefined {
    if (!existsSync(this.data)) return undefined;
    try {
      return readFileSync(join(this.data, 'PG_VERSION'), 'utf8').trim();
    } catch (error) {
      throw new EmbeddedPostgresError(
        `${this.data} is not a PostgreSQL data folder that Sluice can read (${(error as Error).message}). Move it away or fix its permissions.`,
      );
    }
  }

  /** Created once and kept; of two processes that start together both read the same password. */
  password(): string {
    if (!existsSync(this.passwordFile)) writeOnce(this.passwordFile, randomBytes(32).toString('base64url'));
    return readFileSync(this.passwordFile, 'utf8');
  }

  /** The lock file of a running server, or of one that ended without removing it. */
  get lock(): LockFile | undefined {
    const [pid, , , port, socketDir = ''] = orNone(() => readFileSync(join(this.data, 'postmaster.pid'), 'utf8'))?.split('\n') ?? [];
    return pid === undefined ? undefined : { pid: Number(pid), port: Number(port), socketDir };
  }

  /** The process that serves here; undefined when there is none or it is about to end. After a crash it may name a dead process. */
  get serving(): ServerRecord | undefined {
    return orNone(() => JSON.parse(readFileSync(this.servingFile, 'utf8')) as ServerRecord);
  }

  set serving(serving: ServerRecord | undefined) {
    if (serving) writeFileSync(this.servingFile, JSON.stringify(serving));
    else rmSync(this.servingFile, { force: true });
  }

  connection({ socketDir, port }: { readonly socketDir: string | undefined; readonly port: number }): PostgresConnection {
    return { host: socketDir || '127.0.0.1', port, user: ADMINISTRATOR, password: this.password(), database: DATABASE };
  }

  /** For a lock whose process is known not to be a server: PostgreSQL itself checks only that the process id exists. */
  removeStaleLock({ socketDir, port }: LockFile): void {
    rmSync(join(this.data, 'postmaster.pid'), { force: true });
    if (socketDir) rmSync(join(socketDir, `.s.PGSQL.${port}.lock`), { force: true });
  }

  /**
   * A folder for the socket that only the server's user (and root) may enter: beside the cluster, or, when that path is too long for a
   * socket, a separate folder in /tmp.
   */
  socketDir(owner: OsUser | undefined): string {
    const beside = join(this.home, 'socket');
    const dir =
      Buffer.byteLength(beside) <= SOCKET_DIR_BYTES
        ? beside
        : `/tmp/sluice-${createHash('sha256').update(this.home).digest('hex').slice(0, 16)}`;
    makeFolder(dir);
    const { uid } = lstatSync(dir);
    if (uid !== process.getuid?.() && uid !== owner?.uid)
      throw new EmbeddedPostgresError(`${dir}, the folder of PostgreSQL's socket, belongs to another user (uid ${uid}). Remove it.`);
    chmodSync(dir, 0o700);
    if (owner) chownRecursive(dir, owner);
    return dir;
  }
}
