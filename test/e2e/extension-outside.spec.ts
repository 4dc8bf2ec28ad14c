import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post } from '../support/http.js';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const TIPPING = 'test/extensions/tipping';

/** The project's own dependencies: the tools that docs/extending.md names, and those of its tests. */
const OWN = [
  '@graphql-codegen/cli',
  '@graphql-codegen/typescript',
  '@graphql-codegen/typescript-resolvers',
  '@swc/jest',
  '@types/jest',
  'jest',
  'typescript',
];
const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2023", "lib": ["ES2023"], "module": "NodeNext", "types": ["node", "jest"], "rootDir": ".", "outDir": "dist",
    "strict": true, "skipLibCheck": true, "experimentalDecorators": true, "emitDecoratorMetadata": true
  },
  "include": ["tipping", "main.ts", "cli.ts", "own.ts", "tips.ts"]
}`;
const DOCS = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');
/** The code blocks of docs/extending.md, word for word. */
const PACKAGE = /```json\n([^]*?)```/.exec(DOCS)?.[1] ?? '';
const CODEGEN = /```ts\n(import type \{ CodegenConfig \}[^]*?)```/.exec(DOCS)?.[1] ?? '';
const MAIN = /```ts\n(\/\/ main\.ts[^]*?)```/.exec(DOCS)?.[1] ?? '';
const CLI = /```ts\n(\/\/ cli\.ts[^]*?)```/.exec(DOCS)?.[1] ?? '';
const JEST = /```js\n(\/\/ jest\.config\.js[^]*?)```/.exec(DOCS)?.[1] ?? '';
const OWN_COMMAND = /```ts\n(const countTips[^]*?)await runCommand/.exec(DOCS)?.[1] ?? '';
/** The command of docs/extending.md, and a node that reports each call. */
const OWN_CLI = `
import { LightningBackend, CommandError, runCommand, UserService, type Command } from 'sluice';
import { tipping } from './tipping/tipping.extension.js';
import { TippingService } from './tipping/tipping.service.js';

${OWN_COMMAND}
class AcmeBackend {
  readonly nodeId = '02'.padEnd(66, '0');
  constructor() {
    console.log('The node was reached');
  }
}
const askNode: Command = {
  name: 'node id',
  summary: 'Says which node it is',
  usesNode: true,
  run: async (app, _args, print) => print(app.get(LightningBackend).nodeId),
};
await runCommand({ extensions: [tipping()], lightning: AcmeBackend as never, commands: [countTips, askNode] });
`;
const TIPS = `
import type { EventMap } from 'sluice';
import { createTestApp, dataOf, eventually, TestUser } from 'sluice/testing';
import { tipping } from './tipping/tipping.extension.js';

declare module 'sluice' {
  interface EventMap {
    'acme.greeted': { readonly who: string };
  }
}
export const topics: readonly (keyof EventMap)[] = ['acme.greeted', 'transaction.changed'];

interface Tips {
  readonly tipsReceived: { readonly count: number; readonly sats: number };
}
const app = await createTestApp({ extensions: [tipping()] });
const [alice, bob] = [await TestUser.create(app), await TestUser.create(app, { sats: 100 })];
await bob.pay(await alice.invoice(21, 'tip'));
const tips = async (): Promise<Tips> => dataOf<Tips>(app.url, '{ tipsReceived { count sats } }', {}, await alice.key('tipping:read'));
await eventually(async () => (await tips()).tipsReceived.count > 0);
const answer = { ...(await tips()), audit: await app.audit() };
await app.close();
process.stdout.write(JSON.stringify(answer));
`;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}
const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** The example, moved to a project of its own that depends on Sluice's package and on nothing else of this repository. */
describe('an extension in another repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-acme-'));
  const fromPackage = (text: string): string =>
    text.replaceAll("'../../../src/index.js'", "'sluice'").replaceAll("'../../../src/testing/index.js'", "'sluice/testing'");
  const node = async (program: string, ...args: string[]): Promise<string> =>
    (await run(process.execPath, [join(ROOT, program), ...args], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })).stdout;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  const link = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  };

  /**
   * What `npm install sluice-….tgz` does, without the network: this packs and unpacks the package, and gives it only
   * those packages installed here on which it depends. A real install takes half a minute, and its packages change every day.
   */
  async function install(): Promise<void> {
    await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, shell: process.platform === 'win32' });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const home = join(folder, 'node_modules/sluice');
    mkdirSync(home, { recursive: true });
    await run('tar', ['-xzf', join(folder, tarball), '-C', home, '--strip-components=1']);
    const { packages } = readJson<{ packages: Record<string, { dev?: boolean }> }>(ROOT, 'node_modules/.package-lock.json');
    const ordinary = Object.entries(packages).filter(([path, { dev }]) => !dev && path.lastIndexOf('node_modules/') === 0);
    for (const [path] of ordinary) link(path);
    for (const name of OWN) if (!existsSync(join(folder, 'node_modules', name))) link(`node_modules/${name}`);
  }

  beforeAll(async () => {
    await install();
    cpSync(join(ROOT, TIPPING), join(folder, 'tipping'), { recursive: true });
    for (const path of readdirSync(join(folder, 'tipping'), { recursive: true, encoding: 'utf8' })) {
      if (path.endsWith('.ts')) write(`tipping/${path}`, fromPackage(readFileSync(join(folder, 'tipping', path), 'utf8')));
    }
    rmSync(join(folder, 'tipping/generated.ts'));
    for (const [path, text] of Object.entries({
      'package.json': PACKAGE,
      'tsconfig.json': TSCONFIG,
      'codegen.ts': CODEGEN,
      'jest.config.js': JEST,
      'main.ts': MAIN,
      'cli.ts': CLI,
      'own.ts': OWN_CLI,
      'tips.ts': TIPS,
    }))
      write(path, text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('installs the program with its assets, and no tests, benches and scripts', () => {
    const files = readdirSync(join(folder, 'node_modules/sluice'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(
      expect.arrayContaining([
        'schema.graphql',
        'dist/schema.graphql',
        'dist/src/index.js',
        'dist/src/index.d.ts',
        'dist/src/page/style.css',
        'dist/migrations/1764000002000-ledger.sql',
        'dist/migrations/functions/ledger_apply.sql',
      ]),
    );
    expect(files.filter((path) => /\.spec\.|(^|\/)(test|bench|scripts|node_modules)(\/|$)/.test(path))).toEqual([]);
  });

  it('shows how to run a command of the package', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'node_modules/sluice/dist/src/cli/main.js'), '--help'], { cwd: folder });
    expect(stdout).toMatch(/^Usage: npx sluice /);
  });

  it('finds the types of every package that the declarations name', () => {
    const home = join(folder, 'node_modules/sluice');
    const declarations = readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
    const named = declarations.flatMap((path) =>
      [...readFileSync(join(home, 'dist', path), 'utf8').matchAll(/(?:from|import\() ?'((?:@[\w-]+\/)?[\w-]+)[\w/.-]*'/g)].map(
        ([, name = '']) => name,
      ),
    );
    const { dependencies } = readJson<Manifest>(home, 'package.json');
    const { resolve } = createRequire(join(home, 'package.json'));
    const isTyped = (name: string): boolean => {
      if (dependencies[`@types/${name}`]) return existsSync(join(folder, 'node_modules/@types', name));
      const own = readJson<{ types?: string; exports?: unknown }>(folder, 'node_modules', name, 'package.json');
      return (
        dependencies[name] !== undefined &&
        (own.types !== undefined ||
          /\.d\.[cm]?ts"/.test(JSON.stringify(own.exports)) ||
          existsSync(resolve(name).replace(/\.js$/, '.d.ts')))
      );
    };
    expect(new Set(named).size).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !isTyped(name))).toEqual([]);
  });

  it('is asked to override packages that do not run on the oldest Node, and needs no install scripts', () => {
    const [own, advised] = [readJson<Manifest>(ROOT, 'package.json'), JSON.parse(PACKAGE) as Manifest];
    for (const [name, version] of Object.entries(advised.overrides ?? {})) expect([name, own.overrides?.[name]]).toEqual([name, version]);
    const { packages } = readJson<{ packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> }>(ROOT, 'package-lock.json');
    const ordinary = Object.keys(own.overrides ?? {}).filter((name) => packages[`node_modules/${name}`]?.dev === undefined);
    expect(Object.keys(advised.overrides ?? {}).sort()).toEqual(ordinary.sort());
    const scripts = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
    const named = scripts.map(([path]) => path.replace('node_modules/', ''));
    expect(advised.allowScripts).toEqual(
      Object.fromEntries(named.filter((name) => name in (own.allowScripts ?? {})).map((name) => [name, false])),
    );
  });

  it('generates the same types, compiles, and runs', async () => {
    await node('node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts');
    const types = readFileSync(join(folder, 'tipping/generated.ts'), 'utf8');
    expect(types).toBe(fromPackage(readFileSync(join(ROOT, TIPPING, 'generated.ts'), 'utf8')));

    await node('node_modules/typescript/bin/tsc', '-p', '.').catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
    cpSync(join(folder, 'tipping/tipping.graphql'), join(folder, 'dist/tipping/tipping.graphql'));
    const { stdout } = await run(process.execPath, [join(folder, 'dist/tips.js')], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ tipsReceived: { count: 1, sats: 21 }, audit: [] });
  });

  it('tests itself with Jest and the preset of the package', async () => {
    const { PATH, HOME } = process.env;
    const jest = join(folder, 'node_modules/jest/bin/jest.js');
    const { stderr } = await run(process.execPath, [jest, '--runInBand'], { cwd: folder, env: { PATH, HOME, CI: '1' } });
    expect(stderr).toMatch(/^Tests: +4 passed, 4 total$/m);
  });

  it('documents the versions that Sluice itself uses, of the generator and of Jest', () => {
    const { devDependencies } = readJson<Manifest>(ROOT, 'package.json');
    const documented = [...DOCS.matchAll(/ ((?:@[\w-]+\/)?[\w-]+)@(\d+\.\d+\.\d+)/g)].map(([, name = '', version]) => [name, version]);
    expect(documented.map(([name]) => name)).toEqual(expect.arrayContaining(['jest', 'typescript', '@graphql-codegen/cli']));
    expect(documented).toEqual(documented.map(([name = '']) => [name, devDependencies[name]]));
  });

  it('serves from its own entry, and ends on SIGTERM', async () => {
    const { PATH, HOME } = process.env;
    const url = `http://localhost:${await freePort()}`;
    const server = spawn(process.execPath, [join(folder, 'dist/main.js')], {
      cwd: folder,
      env: { PATH, HOME, PORT: new URL(url).port, SLUICE_DATA_DIR: join(folder, 'data'), DRAIN_SECONDS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'close');
    let said = '';
    server.stdout.on('data', (text) => (said += text));
    try {
      await eventually(() => said.split('\n').includes(`Sluice is ready at ${url}`));
      const { body } = await post(`${url}/graphql`, { query: '{ __type(name: "TipSummary") { name } }' });
      expect(body).toEqual({ data: { __type: { name: 'TipSummary' } } });
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });

  describe('its commands for the operator', () => {
    const command = (
      program: string,
      words: readonly string[],
      more: Record<string, string> = {},
    ): Promise<{ stdout: string; stderr: string }> =>
      run(process.execPath, [join(folder, 'dist', program), ...words], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SLUICE_DATA_DIR: join(folder, 'data'), ...more },
      });
    const REAL = {
      SLUICE_MODE: 'production',
      SLUICE_EMBEDDED_POSTGRES: '1',
      LIGHTNING_BACKEND: 'custom',
      NETWORK: 'regtest',
      PUBLIC_URL: 'https://acme.example',
      SECRET_KEY: 'a secret of the operator, long enough',
    };

    it('take three lines, and run with its own back end', async () => {
      expect(CLI.trim().split('\n').slice(1)).toHaveLength(3);
      expect((await command('cli.js', ['--help'])).stdout).toMatch(/^Usage: node cli\.js [^]*\n {2}audit \[options\] +Checks/);
      expect(await command('cli.js', ['audit'], REAL)).toEqual({
        stdout: `Ledger OK (data folder ${join(folder, 'data')})\n`,
        stderr: '',
      });
    });

    it('can add to Sluice’s commands; only commands that need the node connect to it', async () => {
      expect((await command('own.js', ['tips', 'count', 'alice@example.test'], REAL)).stdout).toBe('0 tips\n');
      expect((await command('own.js', ['audit'], REAL)).stdout).toMatch(/^Ledger OK /);
      expect((await command('own.js', ['node', 'id'], REAL)).stdout).toBe(`The node was reached\n${'02'.padEnd(66, '0')}\n`);
    });
  });
});
