import { basename } from 'node:path';
import { CommanderError } from 'commander';
import { BackupError } from '../platform/backup/index.js';
import type { CreateAppOptions } from '../app/bootstrap.js';
import { ConfigError, storageConfig, versionOfSluice } from '../platform/config/index.js';
import { EmbeddedPostgresError } from '../platform/embedded-postgres/index.js';
import { backupCommands } from './backup.command.js';
import { parserOf, type CommandRunner } from './command-line.js';
import { CommandError, UsageError, type Command, type CommandProcess, type StandaloneCommand } from './command.js';

export interface RunCommandOptions extends Pick<CreateAppOptions, 'extensions' | 'lightning'> {
  /** Additional commands. */
  readonly commands?: readonly Command[];
  /** The prefix of a command, for the help. */
  readonly program?: string;
}

export const STANDALONE_COMMANDS: readonly StandaloneCommand[] = backupCommands;
/** Their message is a sentence for the operator. */
const REFUSALS = [CommandError, BackupError, ConfigError, EmbeddedPostgresError];

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
  outliveReaders();
  process.exit(await exitCodeOf(process.argv.slice(2), options, process));
}

/** Runs a command. @returns the exit code of its process */
export async function exitCodeOf(argv: readonly string[], options: RunCommandOptions, own: CommandProcess): Promise<number> {
  const { program = `node ${basename(process.argv[1] ?? 'cli.js')}` } = options;
  const print = (line: string): void => void own.stdout.write(`${line}\n`);
  try {
    const commands = [...(await commandsFor(argv)), ...(options.commands ?? [])];
    checkNames(commands);
    const run: CommandRunner<Command | StandaloneCommand> = async (command, args, parser) => {
      try {
        if ('runAlone' in command) return await command.runAlone(storageConfig(own.env), args, print, program);
        const { runInApplication } = await import('./run-in-application.js');
        await runInApplication(command, args, print, { ...options, program }, own);
      } catch (error) {
        if (error instanceof UsageError) parser.error(error.message);
        throw error;
      }
    };
    const parser = parserOf(commands, program, `sluice ${versionOfSluice()}`, run, own);
    await parser.parseAsync(argv.length === 0 ? ['--help'] : argv, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    own.stderr.write(`${await messageOf(error)}\n`);
    return 1;
  }
}

/**
 * Sluice's own commands. To load the application takes more than a second of the processor: it is imported only where the arguments may need it.
 */
async function commandsFor([word]: readonly string[]): Promise<readonly (Command | StandaloneCommand)[]> {
  if (['-v', '--version'].includes(word ?? '') || STANDALONE_COMMANDS.some(({ name }) => name === word)) return STANDALONE_COMMANDS;
  const { COMMANDS } = await import('./commands.js');
  return [...COMMANDS, ...STANDALONE_COMMANDS];
}

async function messageOf(error: unknown): Promise<string> {
  if (error instanceof Error && REFUSALS.some((refusal) => error instanceof refusal)) return error.message;
  const { wordsFor } = await import('../app/serve.js');
  return wordsFor(error);
}

/** @throws Error that names a duplicate command */
function checkNames(commands: readonly (Command | StandaloneCommand)[]): void {
  const names = commands.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two commands are named "${twice}". Rename yours.`);
}
