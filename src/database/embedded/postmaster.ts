import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LogFile } from './log-file.js';
import type { Runner } from './runner.js';

/**
 * The shell between us and PostgreSQL. Our end of its standard input closes when we end, however we end: then it asks
 * PostgreSQL for a fast, clean shutdown (SIGINT). When PostgreSQL ends first, it ends with the same status.
 */
const LEASH = `
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
/** Another server's lock file, or its shared memory: gone a moment after that server is. */
const BUSY = /lock file|shared memory block/;

/** PostgreSQL ended before it was ready. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  /** Another server, perhaps just ending, still has the cluster. */
  readonly busy: boolean;

  constructor(log: string) {
    super(log);
    this.busy = BUSY.test(log);
  }
}

/** One server process, from its start to its end. */
export class Postmaster {
  /** Settles when the process has ended, whatever ended it. */
  readonly exited: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly stopWindows: () => Promise<void>,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        // Should only the shell have been killed, this makes its reader end the server.
        child.stdin?.destroy();
        resolve();
      });
    });
  }

  /**
   * Starts the server and waits until it takes connections, which after a crash it does only when it has recovered.
   * @throws LaunchError when it ends instead
   */
  static async launch(runner: Runner, data: string, args: readonly string[], log: LogFile): Promise<Postmaster> {
    const command = runner.command('postgres', args);
    const [file = '', ...rest] = process.platform === 'win32' ? command : ['/bin/sh', '-c', LEASH, 'sluice-postgres', ...command];
    log.forgetRecent();
    // Detached: Ctrl-C goes to every process of the terminal's group, and Sluice has requests to finish before the database goes.
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

  /** Fast, clean shutdown: open transactions are rolled back, sessions ended, everything written. */
  async stop(): Promise<void> {
    if (process.platform === 'win32') await this.stopWindows();
    else this.child.stdin?.end();
    await this.exited;
  }
}
