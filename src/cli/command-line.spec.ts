import { argumentsOf, helpOf, meantBy } from './command-line.js';
import { UsageError, type Arguments, type Command } from './command.js';

const command = (name: string, usage: string): Command => ({ name, usage, summary: `Does ${name}`, run: () => Promise.resolve() });
const LIST = command('client list', '');
const REGISTER = command('client register', '--name <name> --scope <scope>... [--public]');
const PAY = command('pay', '<invoice> [--faults <knobs>]');
const ALL = [LIST, REGISTER, PAY];

const understand = (line: string): Arguments => {
  const argv = line.split(' ').filter(Boolean);
  return argumentsOf(argv, meantBy(argv, ALL).meant, ALL);
};

describe('the command line of the operator', () => {
  it('parses the command, its arguments and its options in any order', () => {
    expect(understand('pay lnbc1 --faults hold')).toEqual({ positionals: ['lnbc1'], flags: { faults: 'hold' } });
    expect(understand('--public client register --scope read --name=-x --scope write')).toMatchObject({
      positionals: [],
      flags: { public: true, name: '-x', scope: ['read', 'write'] },
    });
  });

  it.each([
    ['client list --yaml', 'Unknown option --yaml of "client list"'],
    ['pay', '"pay" needs <invoice>'],
    ['pay --faults hold', '"pay" needs <invoice>'],
    ['client register --scope read', '"client register" needs --name'],
    ['client list -j', 'Unknown option -j of "client list"'],
    ['client list --name x', 'Unknown option --name of "client list"'],
    ['client register --name', '--name needs a value'],
    ['client register --name --public', '--name needs a value'],
    ['client register --public=yes', '--public takes no value'],
    ['client register --name x --scope read write', 'Unexpected argument "write"'],
    ['pay one two', 'Unexpected argument "two"'],
    ['client remove', 'Unknown command "client remove"'],
    ['client', 'Unknown command "client"'],
    ['', 'Missing command.'],
  ])('%s: %s', (line, sentence) => {
    expect(() => understand(line)).toThrow(new UsageError(sentence));
  });

  it.each([
    ['', ALL, true],
    ['--help', ALL, true],
    ['wallet --help', ALL, true],
    ['client --help', [LIST, REGISTER], true],
    ['client remove', [LIST, REGISTER], false],
    ['client register --help', [REGISTER], true],
    ['client register -h', [REGISTER], true],
    ['pay lnbc1 --json', [PAY], false],
  ])('%s names the commands in its error', (line, meant, wantsHelp) => {
    expect(meantBy(line.split(' ').filter(Boolean), ALL)).toEqual({ meant, wantsHelp });
  });

  it('prints the usage of only the commands that it names', () => {
    expect(helpOf([PAY], 'npx sluice')).toBe('npx sluice <command>\n\n  pay <invoice> [--faults <knobs>]\n      Does pay');
  });
});
