import { Readable } from 'node:stream';
import { parserOf } from '../../src/cli/command-line.js';
import { COMMANDS } from '../../src/operator/act/commands.js';
import type { TestApp } from './app.js';

/** The operator's commands on an application of a test. */
export class OperatorCommand {
  constructor(private readonly app: TestApp) {}

  /** The output of a command; throws its refusal. */
  async run(...argv: readonly string[]): Promise<string> {
    const lines: string[] = [];
    const parser = parserOf(COMMANDS, 'sluice', '', (command, args) => command.run(this.app.sluice.app, args, (line) => lines.push(line)));
    await parser.parseAsync(argv, { from: 'user' });
    return lines.join('\n');
  }

  /** What it prints with --json. */
  async json<Printed>(...argv: readonly string[]): Promise<Printed> {
    return JSON.parse(await this.run(...argv, '--json')) as Printed;
  }
}

/** Gives every command that reads a secret this one on standard input, until the mock is restored. */
export const typing = (secret: string): jest.SpyInstance =>
  jest.spyOn(process, 'stdin', 'get').mockImplementation(() => Readable.from([`${secret}\n`]) as typeof process.stdin);
