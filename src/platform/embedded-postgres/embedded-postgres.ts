import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Binaries } from './binaries.js';
import { ClusterFolder } from './cluster-folder.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { prepareCluster } from './initdb.js';
import { findHolder, OwnerSocket, type PostgresConnection } from './owner-socket.js';
import { LogFile, LaunchError, Postmaster } from './postmaster.js';
import { chownRecursive, Runner } from './runner.js';
import { reclaimLock, stillBusy, type Obstacle } from './lock.js';
import { serverArguments, type ListenAddress } from './settings.js';

export interface EmbeddedPostgresOptions {
  /** Sluice's data folder; the database lives in its subfolder `postgres`. */
  readonly dataDir: string;
  /** false only in tests: no fsync, no password. */
  readonly durable?: boolean;
  /** A folder of another PostgreSQL build, with `bin`, `lib` and `share`, instead of the one that npm installed. */
  readonly nativeDir?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The server or its owner connection ended unexpectedly; Sluice is already restarting it. */
  readonly onDown?: () => void;
  readonly onUp?: () => void;
}

const RETRY_MS = 100;
const PAUSE_MS = 1_000;

/**
 * Sluice's own PostgreSQL: created on first use, reachable by its socket only, restarted when it dies, and ended when Sluice ends, even
 * by `kill -9`.
 */
export class EmbeddedPostgres {
  private postmaster: Postmaster | undefined;
  private ownerSocket: OwnerSocket | undefined;
  private recovery: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;

  private constructor(
    private readonly folder: ClusterFolder,
    private readonly runner: Runner,
    private readonly listening: ListenAddress,
    private readonly options: EmbeddedPostgresOptions,
    private readonly log: LogFile,
  ) {}

  /**
   * Starts the server, and creates its cluster and the database `sluice` if missing. Waits a while for another owner to end.
   * @throws EmbeddedPostgresError with a sentence for the operator when that is not possible
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const folder = new ClusterFolder(options.dataDir);
    const binaries = await Binaries.locate(options.nativeDir);
    folder.create();
    const runner = Runner.choose(binaries, folder.home);
    await prepareCluster(folder, runner, options.durable ?? true);
    const server = new EmbeddedPostgres(folder, runner, await chooseListening(folder, runner), options, new LogFile(folder.logFile));
    try {
      await server.bringUp();
      if (options.durable ?? true) await server.ownerSocket?.assertDurable();
      await server.ownerSocket?.createDatabase();
    } catch (error) {
      await server.stop();
      throw error;
    }
    server.watch();
    return server;
  }

  /** @throws EmbeddedPostgresError when no server has ever created its cluster in this data folder */
  static assertMade(dataDir: string): void {
    if (new ClusterFolder(dataDir).version !== undefined) return;
    throw new EmbeddedPostgresError(
      `No Sluice data in ${dataDir}. Start the server first, or set SLUICE_DATA_DIR to the folder that the server uses.`,
    );
  }

  /** The connection to the server that a process now runs on this data folder; undefined when there is none. */
  static async findRunning(dataDir: string): Promise<PostgresConnection | undefined> {
    const folder = new ClusterFolder(dataDir);
    for (;;) {
      const { lock } = folder;
      if (!lock) return undefined;
      const connection = folder.connection(lock);
      const holder = await findHolder(connection);
      if (holder.kind === 'none') return undefined;
      if (holder.kind === 'server') return holder.owner === undefined ? undefined : connection;
      await delay(RETRY_MS);
    }
  }

  /** The connection to database `sluice`. It stays the same when the server is restarted. */
  get connection(): PostgresConnection {
    return this.folder.connection(this.listening);
  }

  static clusterOf(dataDir: string): string {
    return new ClusterFolder(dataDir).data;
  }

  async setPassword(password: string): Promise<void> {
    await this.ownerSocket?.setPassword(password);
  }

  /** Records this process's URL for the message of a second start; undefined when it is about to end, so that the next start waits. */
  servesAt(url: string | undefined): void {
    this.folder.serving = url === undefined ? undefined : { pid: process.pid, url };
  }

  /** Ends all sessions and shuts down cleanly. May be called more than once. */
  stop(): Promise<void> {
    return (this.stopped ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    // `stopped` is set by now, so that a recovery in progress gives up.
    await Promise.resolve();
    await this.recovery;
    await this.ownerSocket?.release();
    await this.postmaster?.stop();
  }

  private async bringUp(): Promise<void> {
    const began = Date.now();
    while (!this.stopped) {
      const obstacle = (await this.ensurePostmaster()) ?? (await this.connectOwner());
      if (!obstacle) return;
      if (Date.now() - began > obstacle.patienceMs) throw new EmbeddedPostgresError(obstacle.reason);
      await delay(RETRY_MS);
    }
  }

  private async ensurePostmaster(): Promise<Obstacle | undefined> {
    if (this.postmaster) return undefined;
    const obstacle = await reclaimLock(this.folder, this.runner);
    if (obstacle) return obstacle;
    // Root may have copied the folder, or another user's server may have used it last.
    if (this.runner.owner) chownRecursive(this.folder.data, this.runner.owner);
    try {
      const args = serverArguments(this.folder.data, this.listening, this.options.durable ?? true, this.options.settings);
      const postmaster = await Postmaster.launch(this.runner, this.folder.data, args, this.log);
      void postmaster.exited.then(() => (this.postmaster = undefined));
      this.postmaster = postmaster;
      return undefined;
    } catch (error) {
      if (error instanceof LaunchError && error.busy) return stillBusy(this.folder);
      throw new EmbeddedPostgresError(`PostgreSQL did not start in ${this.folder.home}. Its output: ${(error as Error).message}`);
    }
  }

  private async connectOwner(): Promise<Obstacle | undefined> {
    try {
      this.ownerSocket = await OwnerSocket.connect(this.connection);
      return undefined;
    } catch {
      return stillBusy(this.folder);
    }
  }

  private watch(): void {
    if (!this.postmaster || !this.ownerSocket) return;
    void Promise.race([this.postmaster.exited, this.ownerSocket.lost]).then(() => {
      if (!this.stopped) this.recovery = this.recover();
    });
  }

  private async recover(): Promise<void> {
    this.options.onDown?.();
    await this.ownerSocket?.release();
    while (!this.stopped) {
      try {
        await this.bringUp();
        break;
      } catch (error) {
        this.log.write(`Sluice: ${(error as Error).message}\n`);
        await delay(PAUSE_MS);
      }
    }
    if (this.stopped) return;
    this.watch();
    this.options.onUp?.();
  }
}

async function chooseListening(folder: ClusterFolder, runner: Runner): Promise<ListenAddress> {
  if (process.platform === 'win32') return { socketDir: undefined, port: await freePort() };
  return { socketDir: folder.socketDir(runner.owner), port: 5432 };
}

/** A port without a listener now. It is below those of which systems take one for each outgoing connection. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(randomInt(20_000, 32_768), '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort();
  }
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
