import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** A program that runs beside the tests, and ends with them. */
export class Daemon {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  private readonly log: string;

  constructor(program: string, args: readonly string[], folder: string) {
    mkdirSync(folder, { recursive: true });
    this.log = join(folder, 'output.log');
    const output = openSync(this.log, 'a');
    this.child = spawn(program, args, { cwd: folder, stdio: ['ignore', output, output] });
    closeSync(output);
    // A test run that is killed runs no other clean-up.
    const kill = (): void => void this.child.kill('SIGKILL');
    process.once('exit', kill);
    this.exited = once(this.child, 'exit').finally(() => process.off('exit', kill));
    this.exited.catch(() => undefined);
  }

  /** @throws Error if it has ended */
  assertRuns(): void {
    const { exitCode, signalCode, spawnfile } = this.child;
    if (exitCode !== null || signalCode !== null) throw new Error(`${spawnfile} ended (${exitCode ?? signalCode}), see ${this.log}`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.exited;
  }
}
