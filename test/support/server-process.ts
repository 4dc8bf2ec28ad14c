import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { exitCodeOf } from '../../src/cli/run-command.js';
import type { DemoFile } from '../../src/app/demo/index.js';
import { PROGRAM } from '../../src/platform/config/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { isAlive, serverPid } from './postgres-lab.js';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const READY = 'Sluice is ready at ';
const START_MS = 240_000;
const GOODBYE_MS = 120_000;

type Variables = Readonly<Record<string, string>>;

/** How a process ended, with its whole output. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a child process: nothing of the test run's own but PATH and HOME. */
const environment = (variables: Variables): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables });

const isPortTaken = ({ stdout, stderr }: Ended): boolean => `${stdout}${stderr}`.includes('is in use by another program');

/** Runs a program to its end, without input. */
export async function run(file: string, args: readonly string[], variables: Variables, cwd = PROJECT): Promise<Ended> {
  const child = spawn(file, args, { cwd, env: environment(variables), stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  return { ...(await ended(child)), stdout, stderr };
}

async function ended(child: ChildProcess): Promise<Pick<Ended, 'code' | 'signal'>> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

/** Runs `npm run sluice -- ...` without a process of its own, whose start would cost more than all that the command does. */
export async function command(variables: Variables, ...args: string[]): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const code = await exitCodeOf(
    args,
    { program: PROGRAM },
    {
      env: variables,
      stdout: { write: (text) => void (output.stdout += text) },
      stderr: { write: (text) => void (output.stderr += text) },
    },
  );
  return { code, signal: null, ...output };
}

/** A Sluice as `npm start` runs it, in a process and on a data folder of its own. */
export class ServerProcess {
  readonly lines: string[] = [];
  private child: ChildProcess | undefined;
  private ending: Promise<Ended> | undefined;

  /** The port that the system chose at the first start; restarts keep it for clients that know the address. */
  private bound: string | undefined;

  private constructor(
    readonly dataDir: string,
    private readonly more: Variables,
    /** The project that it runs: the present one, or an earlier release. */
    private readonly root: string,
  ) {}

  /** Prepares an empty data folder; no process runs yet, and the system chooses the port at the start. */
  static async prepare(variables: Variables = {}, root = PROJECT): Promise<ServerProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-server-'));
    // Where tests run as root, PostgreSQL runs as another user, who needs access.
    chmodSync(dataDir, 0o755);
    return new ServerProcess(dataDir, variables, root);
  }

  /** Starts a server, with the demo in place. */
  static async start(variables: Variables = {}): Promise<ServerProcess> {
    const server = await ServerProcess.prepare(variables);
    await server.start();
    return server;
  }

  /** Another process of the same installation, or of another release on the same data; with variables of its own on top. */
  async sibling(root = this.root, own: Variables = {}): Promise<ServerProcess> {
    return new ServerProcess(this.dataDir, { ...this.more, ...own }, root);
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  get port(): string {
    if (this.bound === undefined) throw new Error('The server has not listened yet');
    return this.bound;
  }

  get demo(): DemoFile {
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as DemoFile;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** The embedded PostgreSQL of this server. */
  get databasePid(): number {
    return serverPid(this.dataDir) ?? 0;
  }

  /** The variables with which commands find this server. */
  get variables(): Variables {
    return { PORT: this.bound ?? '0', SLUICE_DATA_DIR: this.dataDir, DRAIN_SECONDS: '0', ...this.more };
  }

  /** Launches it without waiting for anything. */
  launch(): Promise<Ended> {
    const child = spawn(process.execPath, [join(this.root, 'scripts/start.js')], {
      cwd: this.root,
      env: environment(this.variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    const from = this.lines.length;
    createInterface({ input: child.stdout }).on('line', (line) => this.lines.push(line));
    this.child = child;
    this.ending = ended(child).then((how) => ({ ...how, stdout: this.lines.slice(from).join('\n'), stderr }));
    return this.ending;
  }

  /** Launches it and waits for the line that reports readiness. */
  async start(): Promise<void> {
    const until = Date.now() + START_MS;
    let early = await this.begin();
    // While it does not run, the system may give its port to another server of the run.
    while (early && this.bound !== undefined && isPortTaken(early) && Date.now() < until) early = await this.begin();
    if (early) throw new Error(`The server ended before it was ready: ${JSON.stringify(early)}`);
  }

  /** @returns how it ended, if that was before it was ready */
  private async begin(): Promise<Ended | undefined> {
    const from = this.lines.length;
    let early: Ended | undefined;
    void this.launch().then((ended) => (early = ended));
    await eventually(() => early ?? this.lines.slice(from).find((line) => line.startsWith(READY)), START_MS);
    if (early) return early;
    const ready = this.lines.slice(from).find((line) => line.startsWith(READY)) ?? '';
    // Where PUBLIC_URL differs from the address that the server listens at, the test has to choose the port.
    this.bound ??= this.more['PUBLIC_URL'] === undefined ? new URL(ready.slice(READY.length)).port : this.more['PORT'];
    return undefined;
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (!this.child || !this.ending) throw new Error('The server was never launched');
    this.child.kill(signal);
    return this.ending;
  }

  /** `npm run sluice -- ...` beside this server; see `command`. */
  command(...args: string[]): Promise<Ended> {
    return this.commandWith({}, ...args);
  }

  /** The same with other variables on top. */
  commandWith(variables: Variables, ...args: string[]): Promise<Ended> {
    const env = { ...this.variables, ...variables };
    if (this.root !== PROJECT) return run(process.execPath, [join(this.root, 'scripts/sluice.js'), ...args], env, this.root);
    return command(env, ...args);
  }

  /** Runs a command that must succeed. @returns its output */
  async sluice(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.command(...args);
    if (code !== 0) throw new Error(`sluice ${args.join(' ')} failed: ${stdout}${stderr}`);
    return stdout.trim();
  }

  /** Ends the processes and removes the database and the folder. */
  async close(): Promise<void> {
    const database = this.databasePid;
    const { child, ending } = this;
    if (child && this.isRunning) {
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), GOODBYE_MS);
      await ending;
      clearTimeout(impatience);
    }
    if (database) await eventually(() => !isAlive(database));
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
