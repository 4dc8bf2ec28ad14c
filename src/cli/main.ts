import { parseArgs, type ParseArgsConfig } from 'node:util';
import { createContext, existingConfig } from '../bootstrap.js';
import { PinoLogger } from '../config/index.js';
import { wordsFor } from '../serve.js';
import { clientCommands } from './client.command.js';
import { Refused, UsageError, type Arguments, type Command } from './command.js';
import { operatorCommands } from './operator.command.js';
import { simulatorCommands } from './simulator.command.js';

const COMMANDS: readonly Command[] = [...simulatorCommands, ...clientCommands, ...operatorCommands];

const FLAGS = {
  approve: { type: 'boolean' },
  expiry: { type: 'string' },
  faults: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  homepage: { type: 'string' },
  id: { type: 'string' },
  memo: { type: 'string' },
  name: { type: 'string' },
  'no-pkce': { type: 'boolean' },
  overlap: { type: 'string' },
  password: { type: 'string' },
  public: { type: 'boolean' },
  'redirect-uri': { type: 'string', multiple: true },
  sats: { type: 'string' },
  scope: { type: 'string', multiple: true },
  trusted: { type: 'boolean' },
  verified: { type: 'boolean' },
} satisfies ParseArgsConfig['options'];

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function help(): string {
  const entries = COMMANDS.map(({ name, usage, summary }) => `  ${name} ${usage}\n      ${summary}`);
  return ['npm run sluice -- <command>', '', ...entries].join('\n');
}

/** The command with the longest name that the words begin with, and what is left for it. */
function chosen(words: readonly string[]): { command: Command; positionals: string[] } {
  for (const length of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, positionals: words.slice(length) };
  }
  throw new UsageError(words.length > 0 ? `There is no command "${words.join(' ')}"` : 'Which command?');
}

async function main(): Promise<void> {
  const { positionals: words, values } = parseArgs({ options: FLAGS, allowPositionals: true });
  if (values.help || words.length === 0) return print(help());
  const { command, positionals } = chosen(words);
  const args: Arguments = { positionals, flags: values };
  const config = existingConfig();
  // What a command has to say goes to standard output; the log, warnings at most, to standard error.
  const logger = new PinoLogger({ level: 'warn', tokenPrefix: config.tokenPrefix }, { write: (line) => void process.stderr.write(line) });
  const { context, close } = await createContext({ config, logger });
  try {
    await command.run(context, args, print);
  } finally {
    await close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Refused || error instanceof UsageError ? error.message : wordsFor(error);
    process.stderr.write(`${message}\n${error instanceof UsageError ? `\n${help()}\n` : ''}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
