#!/usr/bin/env node
import { createContext, existingConfig } from '../bootstrap.js';
import { PinoLogger } from '../config/index.js';
import { wordsFor } from '../serve.js';
import { clientCommands } from './client.command.js';
import { argumentsOf, helpOf, meantBy } from './command-line.js';
import { Refused, UsageError, type Command } from './command.js';
import { operatorCommands } from './operator.command.js';
import { simulatorCommands } from './simulator.command.js';

const COMMANDS: readonly Command[] = [...simulatorCommands, ...clientCommands, ...operatorCommands];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const argv = process.argv.slice(2);
const { meant, wantsHelp } = meantBy(argv, COMMANDS);

async function main(): Promise<void> {
  if (wantsHelp) return print(helpOf(meant));
  const args = argumentsOf(argv, meant, COMMANDS);
  const config = existingConfig();
  // What a command has to say goes to standard output; the log, warnings at most, to standard error.
  const logger = new PinoLogger({ level: 'warn', tokenPrefix: config.tokenPrefix }, { write: (line) => void process.stderr.write(line) });
  const { context, close } = await createContext({ config, logger });
  try {
    await meant[0]?.run(context, args, print);
  } finally {
    await close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Refused || error instanceof UsageError ? error.message : wordsFor(error);
    process.stderr.write(`${message}\n${error instanceof UsageError ? `\n${helpOf(meant)}\n` : ''}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
