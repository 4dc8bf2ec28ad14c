import { basename } from 'node:path';
import { createContext, existingConfig, type CreateAppOptions } from '../bootstrap.js';
import { versionOfSluice } from '../config/index.js';
import { PinoLogger } from '../logging/index.js';
import { wordsFor } from '../serve.js';
import { argumentsOf, helpOf, meantBy, wantsVersion } from './command-line.js';
import { CommandError, UsageError, type Command } from './command.js';
import { COMMANDS } from './commands.js';

export interface CommandOptions extends Pick<CreateAppOptions, 'extensions' | 'lightning'> {
  /** Additional commands. */
  readonly commands?: readonly Command[];
  /** The prefix of a command, for the help. */
  readonly program?: string;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs the operator's command from the process's arguments, and ends the process: 0 done, 1 refused or failed, 2 usage error.
 * Connects `lightning` only for commands with `usesNode`.
 */
export async function runCommand(options: CommandOptions = {}): Promise<never> {
  const argv = process.argv.slice(2);
  const { program = `node ${basename(process.argv[1] ?? 'cli.js')}` } = options;
  const commands = [...COMMANDS, ...(options.commands ?? [])];
  const { meant, wantsHelp } = meantBy(argv, commands);
  try {
    checkNames(commands);
    if (wantsVersion(argv)) print(`sluice ${versionOfSluice()}`);
    else if (wantsHelp) print(helpOf(meant, program));
    else await run(argv, meant, commands, { ...options, program });
  } catch (error) {
    const message = error instanceof CommandError || error instanceof UsageError ? error.message : wordsFor(error);
    // A list of all commands would scroll the message off the screen.
    const help = meant.length === commands.length ? `"${program} --help" lists the commands.` : `\n${helpOf(meant, program)}`;
    process.stderr.write(`${message}\n${error instanceof UsageError ? `${help}\n` : ''}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
  process.exit(0);
}

async function run(
  argv: readonly string[],
  meant: readonly Command[],
  commands: readonly Command[],
  { extensions, lightning, program }: CommandOptions,
): Promise<void> {
  const args = argumentsOf(argv, meant, commands);
  const [command] = meant;
  const config = existingConfig();
  if (command?.usesNode && !lightning && !config.simulatedMoney)
    throw new CommandError(`"${command.name}" needs your Lightning back end. Run it from your own entry point: runCommand({ lightning })`);
  // A command's result goes to standard output; the log, from warnings upwards, to standard error.
  const logger = new PinoLogger({ level: 'warn', tokenPrefix: config.tokenPrefix }, { write: (line) => void process.stderr.write(line) });
  const { context, close } = await createContext({
    config,
    logger,
    ...(extensions && { extensions }),
    ...(command?.usesNode && lightning && { lightning }),
  });
  try {
    await command?.run(context, args, print, program);
  } finally {
    await close();
  }
}

/** @throws Error that names a duplicate command */
function checkNames(commands: readonly Command[]): void {
  const names = commands.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two commands are named "${twice}". Rename yours.`);
}
