import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment, variablesIn } from '../../src/platform/config/index.js';
import { FAULTS_IN_WORDS } from '../../src/money/lightning/index.js';
import { SETTINGS } from '../../src/app/settings.js';
import { command, PROJECT, run } from '../support/server-process.js';

const page = (name: string): string => readFileSync(join(PROJECT, 'docs', name), 'utf8');
const commandPage = page('reference/commands.md');

describe('the reference of operators', () => {
  it('lists every variable once, with its default', () => {
    const documented = [...page('reference/variables.md').matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`|none) \| .{10,} \|$/gm)].map(
      ([, name, value]) => [name, value],
    );
    const shown = (value: unknown): string | undefined =>
      value === undefined || value === ''
        ? undefined
        : JSON.stringify(typeof value === 'boolean' ? Number(value) : value).replaceAll('"', '');
    const variables = [Environment, ...Object.values(SETTINGS)].flatMap((type) => variablesIn(type));
    const real = [...new Map(variables.map(({ name, production }) => [name, shown(production)]))];
    expect(documented.sort()).toEqual(real.sort());
  });

  it('lists every command', async () => {
    const { stdout } = await command({});
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?: ([a-z-]+))?/gm)].map(([, group = '', name = '']) => [group, name]);
    expect(commands.length).toBeGreaterThan(10);
    const rows = [...commandPage.matchAll(/^\| (`.*`) \|/gm)].map(([, cell = '']) => cell);
    const isThere = ([group, name]: string[]): boolean =>
      rows.some((cell) => cell.startsWith(`\`${group}`) && (name === '' || new RegExp(`[\` ]${name}[\` ]`).test(cell)));
    expect(commands.filter((command) => !isThere(command))).toEqual([]);
  });

  it('lists every fault of the simulator, as the help does', async () => {
    const faults = /^export interface Faults \{([^]*?)^\}/m.exec(
      readFileSync(join(PROJECT, 'src/money/lightning/simulator/faults.ts'), 'utf8'),
    )?.[1];
    const names = [...(faults ?? '').matchAll(/readonly (\w+)\?:/g)].map(([, name = '']) => name);
    expect(FAULTS_IN_WORDS.map(([value]) => value.split('=')[0]).sort()).toEqual(names.sort());
    const { stdout } = await command({}, 'simulator', 'pay', '--help');
    for (const [value, words] of FAULTS_IN_WORDS) {
      expect(commandPage).toContain(`| \`${value}\` | ${words} |`);
      expect(stdout).toContain(words);
    }
  });

  it('shows how to print the version', async () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
    expect(commandPage).toContain('npm run sluice -- --version');
    const { code, stdout } = await command({}, '--version');
    expect([code, stdout]).toEqual([0, `sluice ${version}\n`]);
  });

  it('quotes existing messages', async () => {
    const quoted = [...page('operating.md').matchAll(/^\| .*$/gm)].flatMap(([row]) =>
      [...row.matchAll(/`([A-Z][a-z]+ [^`]{12,})`/g)].map(([, message = '']) => message),
    );
    expect(quoted.length).toBeGreaterThan(2);
    for (const message of quoted) {
      const [start = ''] = message.split('…');
      const { stdout } = await run('grep', ['-rlF', start.trim(), 'src'], {});
      expect(`${message}: ${stdout}`).toMatch(/src\//);
    }
  });
});
