import type { INestApplicationContext } from '@nestjs/common';
import type { Config, ProcessVariables } from '../../platform/config/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';

/** What a command of Sluice runs in: the application, for a person at a terminal or on the console. */
export interface OperatorContext extends Pick<INestApplicationContext, 'get'> {
  /** The operator who is signed in on the console; at a terminal the operating system knows who it is. */
  readonly who?: string;
  /** A secret that was typed on the console; a terminal asks for it. */
  readonly secret?: string;
}

/** The operator's arguments, after the command's name. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The given options by their names; a flag is true, an option that can repeat is a list. */
  readonly options: Readonly<Record<string, string | true | readonly string[] | undefined>>;
}

/** Options with their texts in the help, in the notation of commander: `--public`, `--name <name>`, `--scope <scope...>`. */
export type CommandOptions = Readonly<Record<string, string>>;

/** One of the operator's commands. */
export interface Command {
  /** `client register` */
  readonly name: string;
  /** One line of the help. */
  readonly summary: string;
  /** The positional arguments: `<id>` is required, `[file]` is not. */
  readonly arguments?: string;
  readonly requiredOptions?: CommandOptions;
  readonly options?: CommandOptions;
  /** Lines at the end of the command's help. */
  readonly details?: readonly string[];
  /**
   * The command needs the Lightning node; `if_known`: it runs also with a back end that only the entry point of the server has, and the node
   * does not answer then. Without this flag it runs with any back end, and connects to none.
   */
  readonly usesNode?: true | 'if_known';
  /**
   * @param program the prefix of a command, for messages that name one
   * @throws UsageError, or CommandError, with a sentence
   */
  run(app: INestApplicationContext, args: Arguments, print: (line: string) => void, program?: string): Promise<void>;
}

/** A command of Sluice itself that runs without the application, whose start migrates the database and needs one. */
export interface StandaloneCommand extends Omit<Command, 'run' | 'usesNode'> {
  /**
   * @param program the prefix of a command
   * @throws UsageError, or another error with a sentence
   */
  runAlone(config: Config, args: Arguments, program: string): Promise<CommandResult>;
}

/** What a command uses of its process. */
export interface CommandProcess {
  readonly env: ProcessVariables;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** The arguments are not a valid command. */
export class UsageError extends Error {}

/** The command is valid, but cannot be carried out. */
export class CommandError extends Error {}

/** The first positional argument. @throws UsageError when it is missing */
export function required({ positionals: [value] }: Arguments, what: string): string {
  if (!value) throw new UsageError(`${what} is missing`);
  return value;
}

/** The first positional argument, a UUID. @param list the command that lists them */
export function uuidIn(args: Arguments, what: string, list: string): string {
  const id = required(args, what);
  if (!isUuid(id)) throw new UsageError(`${what} must be a UUID; "${list}" shows them`);
  return id.toLowerCase();
}

const MAX_ID = 2n ** 63n - 1n;

/** Can it be the number of a row? */
export const isRowNumber = (said: string): boolean => /^\d{1,19}$/.test(said) && BigInt(said) <= MAX_ID;

/** The value of an option; the last one, if it is given several times. */
export function text({ options }: Arguments, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export const MAX_ROWS = 1_000;
export const DEFAULT_ROWS = 100;

/** The value of `--limit`. @throws UsageError unless it is 1 to `MAX_ROWS` */
export function limitIn(args: Arguments): number {
  const limit = text(args, 'limit') ?? String(DEFAULT_ROWS);
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_ROWS) throw new UsageError(`--limit must be 1 to ${MAX_ROWS}`);
  return Number(limit);
}

/** The value of `--expires-in-hours`. */
export function hoursIn(args: Arguments, hours: number): number {
  const said = text(args, 'expires-in-hours') ?? String(hours);
  if (!/^\d{1,9}$/.test(said)) throw new UsageError('--expires-in-hours must be a whole number of hours');
  return Number(said);
}

/** All values of an option that can repeat; commas and spaces separate values too. */
export function list({ options }: Arguments, name: string): string[] {
  const value = options[name];
  return Array.isArray(value) ? value.flatMap((each: string) => each.split(/[\s,]+/).filter(Boolean)) : [];
}

/** The option of every command of Sluice. */
export const JSON_OPTION: CommandOptions = { '--json': 'prints one line of JSON, with amounts as text' };

/** What a name or a memo could change of the lines around it: control characters of terminals, and directions. JSON has them as they are stored. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Prints the result of a command: one line of JSON with --json, amounts as strings; else the lines. */
export function printResult(args: Arguments, print: (line: string) => void, { found, lines }: CommandResult): void {
  if (!hasOption(args, 'json')) return lines.forEach((line) => void print(line.replace(UNSAFE, '')));
  print(JSON.stringify(found, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)));
}

/** What a command prints: with --json what it has found or done, else the lines. */
export interface CommandResult {
  readonly found: unknown;
  readonly lines: readonly string[];
  /** Why the command fails although it has a result to print. */
  readonly failure?: string | undefined;
}

/** A command of Sluice, without its option `--json`. */
export interface ResultCommand extends Omit<Command, 'run'> {
  readonly run: (app: OperatorContext, args: Arguments, program: string) => Promise<CommandResult>;
}

/** A command with its result, for the console. */
export interface OperatorCommand extends Command {
  readonly result: ResultCommand['run'];
}

export const commandsOf = (...commands: readonly ResultCommand[]): readonly OperatorCommand[] =>
  commands.map(({ options, run, ...form }) => ({
    ...form,
    options: { ...options, ...JSON_OPTION },
    result: run,
    async run(app, args, print, program = 'sluice') {
      const result = await run(app, args, program);
      printResult(args, print, result);
      if (result.failure !== undefined) throw new CommandError(result.failure);
    },
  }));

/** The result of a command that lists rows. @param none what it says if there are none. @param more what it says below the rows */
export const listed = <Row>(
  rows: readonly Row[],
  lineOf: (row: Row) => string,
  none: string,
  more: readonly string[] = [],
): CommandResult => ({ found: rows, lines: [...(rows.length > 0 ? rows.map(lineOf) : [none]), ...more] });

/** Is the option on the command line? */
export const hasOption = ({ options }: Arguments, name: string): boolean => options[name] !== undefined;
