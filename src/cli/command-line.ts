import { Command as Parser, InvalidArgumentError, Option } from 'commander';
import type { Arguments, Command, CommandProcess } from '../operator/command/index.js';

/** What the parser needs of a command. */
export type CommandForm = Omit<Command, 'run' | 'usesNode'>;

/** Runs the command that the arguments name. `parser.error()` reports a usage error with the help of this command. */
export type CommandRunner<Form extends CommandForm = Command> = (command: Form, args: Arguments, parser: Parser) => Promise<void>;

/**
 * The parser of the operator's commands. Its `parseAsync` throws a CommanderError where it would end the process.
 * @param program the prefix of a command, for the help
 */
export function parserOf<Form extends CommandForm>(
  commands: readonly Form[],
  program: string,
  version: string,
  run: CommandRunner<Form>,
  { stdout, stderr }: Omit<CommandProcess, 'env'> = process,
): Parser {
  const names = new Set(commands.map(({ name }) => name));
  /** The help of the program and of a group lists whole commands: `client register`, not `client`. */
  const commandsBelow = (parser: Parser): Parser[] =>
    parser.commands.flatMap((each) => [...(names.has(pathOf(each)) ? [each] : []), ...commandsBelow(each)]);
  const root = new Parser(program)
    .version(version, '-v, --version', 'prints the version')
    .helpOption('-h, --help', 'shows this help')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError(`"${program} --help" lists the commands.`)
    .configureHelp({
      visibleCommands: commandsBelow,
      subcommandTerm: (parser) => `${pathOf(parser)} ${parser.usage()}`,
    })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    });
  for (const command of commands) addCommand(root, command, run);
  return root;
}

function addCommand<Form extends CommandForm>(root: Parser, command: Form, run: CommandRunner<Form>): void {
  const parser = command.name.split(' ').reduce((above, word) => {
    const group = above.commands.find((each) => each.name() === word);
    return group ?? above.command(word).showHelpAfterError();
  }, root);
  parser.summary(command.summary).description(command.summary);
  if (command.arguments) parser.arguments(command.arguments);
  parser.usage(`${command.arguments ?? ''} [options]`.trim());
  for (const [flags, text] of Object.entries(command.requiredOptions ?? {})) parser.addOption(optionOf(flags, `${text} (required)`));
  for (const [flags, text] of Object.entries(command.options ?? {})) parser.addOption(optionOf(flags, text));
  if (command.details) parser.addHelpText('after', ['', ...command.details].join('\n'));
  parser.action(() => {
    // commander would report a required option as missing before one that does not exist, which may be the same one misspelt.
    const missing = Object.keys(command.requiredOptions ?? {}).find(
      (flags) => parser.getOptionValue(new Option(flags).attributeName()) === undefined,
    );
    if (missing !== undefined) parser.error(`Required option '${missing}' not specified`);
    // A variable of a script that is not set. Without its [account], "thaw" would mean all accounts.
    if (parser.args.includes('')) parser.error('An argument is empty');
    return run(command, argumentsOf(parser), parser);
  });
}

/** commander takes the next word as a value, even another option: `--name --public`. */
function optionOf(flags: string, text: string): Option {
  const option = new Option(flags, text);
  if (!option.required) return option;
  return option.argParser<string | readonly string[] | undefined>((value, earlier) => {
    if (value === '' || value.startsWith('--')) throw new InvalidArgumentError('The option needs a value.');
    return option.variadic ? [earlier ?? [], value].flat() : value;
  });
}

function argumentsOf(parser: Parser): Arguments {
  const given = parser.options.filter((option) => parser.getOptionValueSource(option.attributeName()) === 'cli');
  const options = given.map((option) => [option.name(), option.negate || (parser.getOptionValue(option.attributeName()) as string)]);
  return { positionals: parser.args, options: Object.fromEntries(options) as Arguments['options'] };
}

const pathOf = (parser: Parser): string => (parser.parent?.parent ? `${pathOf(parser.parent)} ${parser.name()}` : parser.name());
