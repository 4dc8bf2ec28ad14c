import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../src/testing/eventually.js';
import { PROJECT, run, type Ended, type ServerProcess } from '../support/server-process.js';

interface Example {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

const OUTPUT = join(PROJECT, 'test/output/readme');

/** The code blocks of a document, as a reader pastes them; only the port and the data folder differ. */
export class Examples {
  private readonly all: readonly Example[];
  private readonly taken = new Set<Example>();
  private readonly running: ChildProcess[] = [];
  /** The port of the README's app and its callback. */
  appPort = 5555;

  constructor(
    private readonly server: Pick<ServerProcess, 'port' | 'dataDir' | 'variables'>,
    private readonly document = 'README.md',
  ) {
    this.all = examplesIn(readFileSync(join(PROJECT, document), 'utf8'));
  }

  /** Pastes the shell block number `index` under a heading. @returns its output */
  paste(heading: string, index = 0, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.bash(this.take(heading, 'sh', index), variables);
  }

  /** Pastes all shell blocks under a heading into one shell, and then a command of the test. @returns its output */
  pasteAll(heading: string, more = '', variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const count = this.all.filter((each) => each.heading === heading && each.language === 'sh').length;
    const blocks = Array.from({ length: count }, (_, index) => this.take(heading, 'sh', index));
    return this.bash([...blocks, more].join('\n'), variables);
  }

  private async bash(commands: string, variables: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr }: Ended = await run('bash', ['-euc', commands], { ...this.server.variables, ...variables });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  }

  /** Saves the program under a heading, or in parts under several, by the name in its first line, and runs it. */
  launch(
    heading: string | readonly string[],
    nodeOptions: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Program {
    const text = [heading]
      .flat()
      .map((each) => this.take(each, 'js'))
      .join('\n');
    const name = /^\/\/ (\S+\.mjs)/.exec(text)?.[1] ?? '';
    mkdirSync(OUTPUT, { recursive: true });
    writeFileSync(join(OUTPUT, name), text);
    const options: SpawnOptions = { cwd: PROJECT, env: { ...process.env, ...variables }, stdio: 'pipe' };
    const child = spawn(process.execPath, [...nodeOptions, join(OUTPUT, name)], options);
    this.running.push(child);
    return new Program(child);
  }

  /** Returns commands that this class does not run: other tests do, or they run this one. */
  text(heading: string): string[] {
    return this.all.filter((example) => example.heading === heading).map((example) => (this.taken.add(example), example.text.trim()));
  }

  /** Headings with examples that no test has run. */
  get untried(): string[] {
    return this.all.filter((example) => !this.taken.has(example)).map(({ heading }) => heading);
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map(stop));
  }

  private take(heading: string, language: string, index = 0): string {
    const example = this.all.filter((each) => each.heading === heading && each.language === language)[index];
    if (!example) throw new Error(`${this.document} has no such example: ${heading}, ${language}, ${index}`);
    this.taken.add(example);
    return example.text
      .replaceAll('5555', String(this.appPort))
      .replaceAll('localhost:4000', `localhost:${this.server.port}`)
      .replaceAll(/(\.\/)?\.data\//g, `${this.server.dataDir}/`);
  }
}

/** A running program of a document. */
export class Program {
  private stdout = '';
  private stderr = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (text) => (this.stdout += String(text)));
    child.stderr?.on('data', (text) => (this.stderr += String(text)));
  }

  /** Waits until the program has printed this. */
  async prints(pattern: RegExp, meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<string> {
    return eventually(async () => {
      if (this.stderr) throw new Error(this.stderr);
      const [found] = pattern.exec(this.stdout) ?? [];
      if (found === undefined) await meanwhile();
      return found;
    });
  }

  /** Types a line into the program. */
  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** The exit code of the program, once it has ended by itself. */
  get ended(): Promise<number | null> {
    const { child } = this;
    return child.exitCode === null
      ? once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
      : Promise.resolve(child.exitCode);
  }

  stop(): Promise<void> {
    return stop(this.child);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function examplesIn(markdown: string): Example[] {
  const examples: Example[] = [];
  let heading = '';
  for (const [, title, language = '', text = ''] of markdown.matchAll(/^#+ (.+)$|^```(\w*)\n([^]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else examples.push({ heading, language, text });
  }
  return examples;
}
