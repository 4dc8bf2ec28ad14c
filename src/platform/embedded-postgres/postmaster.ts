import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Runner } from './runner.js';
import { appendFileSync, renameSync, statSync } from 'node:fs';

const LIMIT_BYTES = 5_000_000;
const RECENT_CHARACTERS = 2_000;

/** PostgreSQL's log: two files of at most 5 MB, the older one with the suffix `.1`. Lines are rare, so it writes synchronously. */
export class LogFile {
  private bytes: number;
  private tail = '';

  constructor(private readonly path: string) {
    this.bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(text: string): void {
    this.tail = (this.tail + text).slice(-RECENT_CHARACTERS);
    try {
      this.keep(text);
    } catch {
      // A full disk must not end the process over a log line.
    }
  }

  /** The end of the log since `forgetRecent`, for an error message. */
  get recent(): string {
    return this.tail.trim();
  }

  forgetRecent(): void {
    this.tail = '';
  }

  private keep(text: string): void {
    if (this.bytes > LIMIT_BYTES) {
      renameSync(this.path, `${this.path}.1`);
      this.bytes = 0;
    }
    appendFileSync(this.path, text, { mode: 0o600 });
    this.bytes += Buffer.byteLength(text);
  }
}

/**
 * The shell between Sluice and PostgreSQL. Sluice's end of its standard input closes when Sluice ends, for any reason: the shell then asks
 * PostgreSQL for a fast, clean shutdown (SIGINT). When PostgreSQL ends first, the shell ends with the same status.
 */
const PARENT_WATCHDOG = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ read -r _ <&3; kill -INT $server; } 2>/dev/null &
reader=$!
exec 3<&-
trap "" INT TERM HUP
wait $server
status=$?
kill $reader 2>/dev/null
exit $status`;

const READY = 'database system is ready to accept connections';
/** Another server's lock file or shared memory, which is released shortly after that server ends. */
const BUSY = /lock file|shared memory block/;

export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  /** Another server, which may be ending, still has the cluster. */
  readonly busy: boolean;

  constructor(log: string) {
    super(log);
    this.busy = BUSY.test(log);
  }
}

export class Postmaster {
  /** Settles when the process has ended, for any reason. */
  readonly exited: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly stopWindows: () => Promise<void>,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        // If only the shell was killed, this makes its reader end the server.
        child.stdin?.destroy();
        resolve();
      });
    });
  }

  /**
   * Starts the server and waits until it accepts connections; after a crash it recovers first.
   * @throws LaunchError when it ends instead
   */
  static async launch(runner: Runner, data: string, args: readonly string[], log: LogFile): Promise<Postmaster> {
    const command = runner.command('postgres', args);
    const [file = '', ...rest] = process.platform === 'win32' ? command : ['/bin/sh', '-c', PARENT_WATCHDOG, 'sluice-postgres', ...command];
    log.forgetRecent();
    // Detached: Ctrl-C signals the terminal's whole process group, and Sluice must finish its requests before the database stops.
    const child = spawn(file, rest, { ...runner.options, stdio: ['pipe', 'ignore', 'pipe'], detached: true, windowsHide: true });
    child.stdin.on('error', () => undefined);
    const postmaster = new Postmaster(child, () => runner.run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w']));
    const ready = new Promise<boolean>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log.write(text);
        if (log.recent.includes(READY)) resolve(true);
      });
    });
    await once(child, 'spawn');
    if (await Promise.race([ready, once(child, 'close').then(() => false)])) return postmaster;
    throw new LaunchError(log.recent);
  }

  /** Fast, clean shutdown: open transactions are rolled back, sessions ended, all data written. */
  async stop(): Promise<void> {
    if (process.platform === 'win32') await this.stopWindows();
    else this.child.stdin?.end();
    await this.exited;
  }
}
