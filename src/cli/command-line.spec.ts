import { CommanderError, type Command as Parser } from 'commander';
import { parserOf } from './command-line.js';
import type { Arguments, Command } from '../operator/command/index.js';

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `Does ${name}`,
  run: () => Promise.resolve(),
  ...more,
});
const COMMANDS = [
  command('client list'),
  command('client register', {
    requiredOptions: { '--name <name>': 'its name' },
    options: { '--scope <scope...>': 'its scopes', '--public': 'it has no secret', '--no-pkce': 'it needs no PKCE' },
  }),
  command('thaw', { arguments: '[account]' }),
  command('pay', { arguments: '<invoice>', options: { '--faults <faults>': 'what fails' }, details: ['Faults: many'] }),
];

/** Parses a command line as the operator types it, without a process that ends. */
async function parse(line: string): Promise<{ ran: [name: string, args: Arguments][]; output: string; exitCode: number }> {
  const ran: [string, Arguments][] = [];
  let output = '';
  const parser = parserOf(COMMANDS, 'sluice', 'sluice 1.2.3', async ({ name }, args) => void ran.push([name, args]));
  const writers = { writeOut: (text: string) => void (output += text), writeErr: (text: string) => void (output += text) };
  const configure = (each: Parser): void => {
    each.configureOutput(writers);
    each.commands.forEach(configure);
  };
  configure(parser);
  try {
    const words = line.split(' ').filter(Boolean);
    await parser.parseAsync(
      words.map((word) => (word === "''" ? '' : word)),
      { from: 'user' },
    );
    return { ran, output, exitCode: 0 };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { ran, output, exitCode: error.exitCode };
  }
}

describe('the command line of the operator', () => {
  it('parses the command, its arguments and its options', async () => {
    expect((await parse('pay lnbc1 --faults hold')).ran).toEqual([['pay', { positionals: ['lnbc1'], options: { faults: 'hold' } }]]);
    expect((await parse('client register --name=-x --scope read --no-pkce --scope write')).ran).toEqual([
      ['client register', { positionals: [], options: { name: '-x', scope: ['read', 'write'], 'no-pkce': true } }],
    ]);
    expect((await parse('client list')).ran).toEqual([['client list', { positionals: [], options: {} }]]);
  });

  it.each([
    ['client list --yaml', "Unknown option '--yaml'"],
    ['client list -j', "Unknown option '-j'"],
    ['client list --name x', "Unknown option '--name'"],
    ['--yaml client list', "Unknown option '--yaml'"],
    ['client register --nme x', "Unknown option '--nme'\n(Did you mean --name?)"],
    ['pay --fault hold', "Unknown option '--fault'\n(Did you mean --faults?)"],
    ['pay', "Missing required argument 'invoice'"],
    ['pay --faults hold', "Missing required argument 'invoice'"],
    ['pay one two', 'Too many arguments'],
    // What a script types whose variable is empty: without the account, the command would mean all of them.
    ["thaw ''", 'An argument is empty'],
    ['client register --scope read', "Required option '--name <name>' not specified"],
    ['client register --name', "Option '--name <name>' argument missing"],
    ['client register --name --public', "Option '--name <name>' argument '--public' is invalid. The option needs a value."],
    ['client register --name=x --name=', "Option '--name <name>' argument '' is invalid. The option needs a value."],
    ['client register --name x read', 'Too many arguments'],
    ['client remove', "Unknown command 'remove'"],
    ['client lst', "Unknown command 'lst'\n(Did you mean list?)"],
    ['wallet', "Unknown command 'wallet'"],
    ['client', 'Usage: sluice client'],
  ])('%s: %s', async (line, sentence) => {
    const { ran, output, exitCode } = await parse(line);
    expect(output.slice(0, sentence.length)).toBe(sentence);
    expect([ran, exitCode]).toEqual([[], 1]);
  });

  it.each([
    ['--help', ['client list', 'client register', 'thaw', 'pay']],
    ['wallet --help', ['client list', 'client register', 'thaw', 'pay']],
    ['client --help', ['client list', 'client register']],
    ['client -h', ['client list', 'client register']],
    ['pay --help', []],
    ['pay lnbc1 -h', []],
  ])('%s shows the commands that it concerns', async (line, names) => {
    const { ran, output, exitCode } = await parse(line);
    expect([...output.matchAll(/^ {2}(.+?)(?: [<[]\w+[>\]])? \[options\] {2,}Does /gm)].map(([, name]) => name)).toEqual(names);
    expect([ran, exitCode]).toEqual([[], 0]);
  });

  it('shows a command with its options and details', async () => {
    const { output } = await parse('pay --help');
    expect(output).toMatch(
      /^Usage: sluice pay <invoice> \[options\]\n\nDoes pay\n[^]* {2}--faults <faults> +what fails\n[^]*\nFaults: many\n$/,
    );
    expect((await parse('client register --help')).output).toMatch(/--name <name> +its name \(required\)/);
  });

  it('prints the version', async () => {
    expect(await parse('--version')).toMatchObject({ output: 'sluice 1.2.3\n', exitCode: 0 });
  });
});
