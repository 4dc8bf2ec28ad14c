import type { INestApplicationContext } from '@nestjs/common';
import type { Config, ProcessVariables } from '../../platform/config/index.js';
import { CommandError, OperatorCall, UsageError, type Arguments, type OperatorContext, type TypedArguments } from './operator-call.js';

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
  runAlone(config: Config, args: TypedArguments, program: string): Promise<CommandResult>;
}

/** What a command uses of its process. */
export interface CommandProcess {
  readonly env: ProcessVariables;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** The option of every command of Sluice. */
export const JSON_OPTION: CommandOptions = { '--json': 'prints one line of JSON, with amounts as text' };

/** What a name or a memo could change of the lines around it: control characters of terminals, and directions. JSON has them, escaped. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Prints the result of a command: one line of JSON with --json, amounts as strings; else the lines. */
export function printResult(args: Arguments, print: (line: string) => void, { found, lines }: CommandResult): void {
  if (args.options['json'] === undefined) return lines.forEach((line) => void print(line.replace(UNSAFE, '')));
  const text = JSON.stringify(found, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
  // JSON.stringify leaves U+0080 to U+009F as they are, and terminals take some of them for the start of a sequence.
  print(text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/** What a command prints: with --json what it has found or done, else the lines. */
export interface CommandResult {
  readonly found: unknown;
  readonly lines: readonly string[];
  /** Why the command fails although it has a result to print. */
  readonly failure?: string | undefined;
}

const BECAUSE = '--because <text>';
export const BECAUSE_OPTION: CommandOptions = { [BECAUSE]: 'the reason, for the log of operators' };

/** A command of Sluice, without its option `--json`. */
export interface ResultCommand extends Omit<Command, 'run'> {
  /** It needs no database: it runs before the first start and before an upgrade, and migrates nothing. */
  readonly usesSettingsOnly?: true;
  readonly run: (call: OperatorCall) => Promise<CommandResult>;
}

/** A command with its result, for the console. */
export interface OperatorCommand extends Command, Pick<ResultCommand, 'usesSettingsOnly'> {
  run(app: OperatorContext, args: Arguments, print: (line: string) => void, program?: string): Promise<void>;
  /** @throws UsageError, or CommandError, with a sentence */
  result(app: OperatorContext, args: Arguments, program: string): Promise<CommandResult>;
}

export const commandsOf = (...commands: readonly ResultCommand[]): readonly OperatorCommand[] =>
  commands.map(({ options, run, ...form }) => ({
    ...form,
    options: { ...options, ...JSON_OPTION },
    async result(app, args, program) {
      const call = new OperatorCall(form.name, app, args, program);
      if (form.requiredOptions && BECAUSE in form.requiredOptions && call.because === '')
        throw new UsageError('--because must not be empty');
      return run(call);
    },
    async run(app, args, print, program = 'sluice') {
      const result = await this.result(app, args, program);
      printResult(args, print, result);
      if (result.failure !== undefined) throw new CommandError(result.failure);
    },
  }));

/** Each field of a row, for people. */
export const fieldLines = (row: object): string[] =>
  Object.entries(row).map(([name, value]) => `${name}: ${value instanceof Date ? value.toISOString() : String(value ?? 'none')}`);

/** The result of a command that lists rows. @param none what it says if there are none. @param more what it says below the rows */
export const listed = <Row>(
  rows: readonly Row[],
  lineOf: (row: Row) => string,
  none: string,
  more: readonly string[] = [],
): CommandResult => ({ found: rows, lines: [...(rows.length > 0 ? rows.map(lineOf) : [none]), ...more] });
