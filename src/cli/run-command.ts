import { basename } from 'node:path';
import { CommanderError } from 'commander';
import { createContext, existingConfig, storageConfig, type CreateAppOptions } from '../bootstrap.js';
import { BACKENDS, versionOfSluice } from '../config/index.js';
import { PinoLogger } from '../logging/index.js';
import { wordsFor } from '../serve.js';
import { parserOf } from './command-line.js';
import { CommandError, UsageError, type Arguments, type Command, type StandaloneCommand } from './command.js';
import { COMMANDS, STANDALONE_COMMANDS } from './commands.js';

export interface RunCommandOptions extends Pick<CreateAppOptions, 'extensions' | 'lightning'> {
  /** Additional commands. */
  readonly commands?: readonly Command[];
  /** The prefix of a command, for the help. */
  readonly program?: string;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The reader of a pipe may end first, as `head` does: the command still completes its work, and what it prints after that is dropped. */
function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/**
 * Runs the operator's command from the process's arguments, and ends the process: 0 done, 1 refused or failed, 2 usage error.
 * Connects `lightning` only for commands with `usesNode`.
 */
export async function runCommand(options: RunCommandOptions = {}): Promise<never> {
  const argv = process.argv.slice(2);
  const { program = `node ${basename(process.argv[1] ?? 'cli.js')}` } = options;
  const commands = [...COMMANDS, ...STANDALONE_COMMANDS, ...(options.commands ?? [])];
  outliveReaders();
  try {
    checkNames(commands);
    const parser = parserOf(commands, program, `sluice ${versionOfSluice()}`, async (command, args, own) => {
      try {
        if ('runAlone' in command) await command.runAlone(storageConfig(), args, print, program);
        else await run(command, args, { ...options, program });
      } catch (error) {
        if (error instanceof UsageError) own.error(error.message);
        throw error;
      }
    });
    await parser.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' });
  } catch (error) {
    // commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    process.stderr.write(`${error instanceof CommandError ? error.message : wordsFor(error)}\n`);
    process.exit(1);
  }
  process.exit(0);
}

async function run(command: Command, args: Arguments, { extensions, lightning, program }: RunCommandOptions): Promise<void> {
  const config = existingConfig();
  const isKnown = lightning !== undefined || BACKENDS.some((name) => name === config.lightningBackend);
  if (command.usesNode === true && !isKnown)
    throw new CommandError(`"${command.name}" needs your Lightning back end. Run it from your own entry point: runCommand({ lightning })`);
  // A command's result goes to standard output; the log, from warnings upwards, to standard error.
  const logger = new PinoLogger({ level: 'warn', tokenPrefix: config.tokenPrefix }, { write: (line) => void process.stderr.write(line) });
  const usesNode = command.usesNode !== undefined && isKnown;
  const { context, close } = await createContext({
    config,
    logger,
    ...(extensions && { extensions }),
    usesNode,
    ...(usesNode && lightning && { lightning }),
  });
  try {
    await command.run(context, args, print, program);
  } finally {
    await close();
  }
}

/** @throws Error that names a duplicate command */
function checkNames(commands: readonly (Command | StandaloneCommand)[]): void {
  const names = commands.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two commands are named "${twice}". Rename yours.`);
}
