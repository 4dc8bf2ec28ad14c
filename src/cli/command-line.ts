import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError, type Arguments, type Command } from './command.js';

type Options = NonNullable<ParseArgsConfig['options']>;

const HELP = { help: { type: 'boolean', short: 'h' } } satisfies Options;

/** The options of the commands, parsed from their usage: `[--public]`, `--name <name>`, `--scope <scope>...`. */
function optionsOf(commands: readonly Command[]): Options {
  const mentions = commands.flatMap(({ usage }) => [...usage.matchAll(/--([a-z-]+)( <[^>]+>)?(\.\.\.)?/g)]);
  return Object.assign(
    {},
    HELP,
    ...mentions.map(([, name = '', value, more]) => ({ [name]: { type: value ? 'string' : 'boolean', multiple: more !== undefined } })),
  ) as Options;
}

/** Not strict: `argumentsOf` reports mistakes, with Sluice's own messages. */
const parsed = (argv: readonly string[], options: Options) =>
  parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true });

/** The commands that the arguments may mean: one, those of a group (`client`), or all of them when none matches. */
export function meantBy(argv: readonly string[], commands: readonly Command[]): { meant: readonly Command[]; wantsHelp: boolean } {
  const { positionals, values } = parsed(argv, optionsOf(commands));
  const begin = (length: number): readonly Command[] =>
    commands.filter(({ name }) => `${name} `.startsWith(`${positionals.slice(0, length).join(' ')} `));
  const meant = [begin(2), begin(1)].find((some) => some.length > 0) ?? commands;
  return { meant, wantsHelp: values['help'] !== undefined || argv.length === 0 };
}

/**
 * The arguments of the command after its name.
 * @throws UsageError with a sentence when no command matches, or when the command does not take these arguments
 */
export function argumentsOf(argv: readonly string[], meant: readonly Command[], all: readonly Command[]): Arguments {
  const said = parsed(argv, optionsOf(all)).positionals.join(' ');
  const command = meant.find(({ name }) => `${said} `.startsWith(`${name} `));
  if (!command) throw new UsageError(said === '' ? 'Missing command.' : `Unknown command "${said}"`);
  const options = optionsOf([command]);
  const { positionals, values, tokens } = parsed(argv, options);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { type } = options[token.name] ?? {};
    if (!type) throw new UsageError(`Unknown option ${token.rawName} of "${command.name}"`);
    if (type === 'boolean' && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
    // The next word may be another option; a value that begins with a dash is written --name=-value.
    if (type === 'string' && (!token.value || (!token.inlineValue && /^-./.test(token.value))))
      throw new UsageError(`${token.rawName} needs a value`);
  }
  const own = positionals.slice(command.name.split(' ').length);
  const excess = own[placesOf(command)];
  if (excess !== undefined) throw new UsageError(`Unexpected argument "${excess}"`);
  const missing = neededOf(command)[own.length] ?? neededOptionsOf(command).find((name) => values[name] === undefined);
  if (missing !== undefined) throw new UsageError(`"${command.name}" needs ${missing.startsWith('<') ? missing : `--${missing}`}`);
  return { positionals: own, flags: values };
}

/** The number of positional arguments of a command. */
const placesOf = ({ usage }: Command): number => (usage.replace(/--[a-z-]+ <[^>]+>/g, '').match(/<[^>]+>/g) ?? []).length;

/** The required part of a usage: what is outside brackets. */
const withoutOptional = (usage: string): string => usage.replace(/\[[^\]]*\]/g, '');
const neededOf = ({ usage }: Command): readonly string[] =>
  withoutOptional(usage)
    .replace(/--[a-z-]+ <[^>]+>/g, '')
    .match(/<[^>]+>/g) ?? [];
const neededOptionsOf = ({ usage }: Command): readonly string[] =>
  [...withoutOptional(usage).matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name);

/** Does the operator ask for the version only? */
export const wantsVersion = (argv: readonly string[]): boolean => argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v');

export function helpOf(commands: readonly Command[], program: string): string {
  const entries = commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`);
  // Printed once for all commands that share them, and only in the help of one group.
  const groups = new Set(commands.map(({ name }) => name.split(' ')[0]));
  const details = groups.size === 1 ? [...new Set(commands.flatMap(({ details = [] }) => details))] : [];
  return [`${program} <command>`, '', ...entries, ...(details.length > 0 ? ['', ...details] : [])].join('\n');
}
