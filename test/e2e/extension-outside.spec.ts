import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post } from '../support/http.js';
import { filesIn, GUIDE } from '../readme/guide-files.js';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');

/** The tools that docs/extending.md installs. */
const OWN = [
  '@graphql-codegen/cli',
  '@graphql-codegen/typescript',
  '@graphql-codegen/typescript-resolvers',
  '@swc/jest',
  '@types/jest',
  'jest',
  'typescript',
];
const SECRET_KEY = 'a secret of the operator, long enough';
/** The files of the guide, word for word. */
const FILES = filesIn(GUIDE);
/** What the guide installs for readers without Jest. Sluice does not use it, so this is the version that was tried. */
const TRIED: Readonly<Record<string, string>> = { vitest: '4.1.12', 'unplugin-swc': '2.0.0' };
const textOf = (wanted: string): string => FILES.find(({ path }) => path === wanted)?.text ?? '';
const PACKAGE = textOf('package.json');
/** Overrides of Sluice itself for tools that the guide does not install. */
const OF_OTHER_TOOLS = ['@graphql-tools/delegate', '@graphql-tools/wrap', 'unrs-resolver'];
/** The command of docs/extending.md, and a node that reports each call. */
const OWN_CLI = `
import { LightningBackend, runCommand, type Command } from 'sluice';
import { countTips } from './count-tips.command.js';
import { tipping } from './tipping/tipping.extension.js';

class AcmeBackend {
  readonly portVersion = 1;
  readonly capabilities = new Set(['own_preimage', 'settle_index']);
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
import { RequestError } from 'sluice/client';
import { createTestApp, dataOf, eventually, TestUser } from 'sluice/testing';
import { sell } from './shop.js';
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
const { seen, ask } = await sell(app, alice, bob);
await app.close();
const lost = await ask().catch((error: unknown) => error);
process.stdout.write(JSON.stringify({ ...answer, seen, lost: lost instanceof RequestError && lost.kind }));
`;

/** The program of a shop, which knows the address of a server and a key. */
const SHOP = `
import { createClient, LnInvoiceCreateDocument, OnLnInvoicePaymentStatusByHashDocument } from 'sluice/client';
import type { TestApp, TestUser } from 'sluice/testing';
import { WebSocket } from 'ws';

export async function sell(app: TestApp, alice: TestUser, bob: TestUser) {
  const client = createClient({ url: app.url, apiKey: String((await alice.key('receive'))['x-api-key']), webSocket: WebSocket });
  const ask = () => client.request(LnInvoiceCreateDocument, { input: { walletId: alice.wallets.BTC, amount: 21 } });
  const { paymentHash = '', paymentRequest = '' } = (await ask()).lnInvoiceCreate.invoice ?? {};
  const seen: unknown[] = [];
  for await (const { lnInvoicePaymentStatusByHash: event } of client.subscribe(OnLnInvoicePaymentStatusByHashDocument, { input: { paymentHash } })) {
    seen.push(event.status);
    if (event.status === 'PENDING') await bob.pay({ paymentRequest });
  }
  return { seen, ask };
}
`;
/** A page of a shop: it has the types of browsers, and none of Node. */
const PAGE = `
import { createClient, GlobalsDocument } from 'sluice/client';

const { globals } = await createClient({ url: location.origin, apiKey: 'sluice_1' }).request(GlobalsDocument);
document.title = globals?.network ?? '';
`;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}
const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/** The project that docs/extending.md shows, in a folder of its own, with Sluice's package and nothing else of this repository. */
describe('an extension in another repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-acme-'));
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
    link('node_modules/.bin');
    for (const name of OWN) if (!existsSync(join(folder, 'node_modules', name))) link(`node_modules/${name}`);
  }

  beforeAll(async () => {
    await install();
    for (const { path, text } of FILES) write(path, text);
    write('own.ts', OWN_CLI);
    write('tips.ts', TIPS);
    write('shop.ts', SHOP);
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
        'dist/src/edge/page/style.css',
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
      [...readFileSync(join(home, 'dist', path), 'utf8').matchAll(/(?:from|import\() ?'((?:@[\w-]+\/)?[\w-][\w.-]*)[\w/.-]*'/g)].map(
        ([, name = '']) => name,
      ),
    );
    const { dependencies } = readJson<Manifest>(home, 'package.json');
    const { resolve } = createRequire(join(home, 'package.json'));
    const isTyped = (name: string): boolean => {
      if (dependencies[`@types/${name}`]) return existsSync(join(folder, 'node_modules/@types', name));
      const own = readJson<{ types?: string; typings?: string; exports?: unknown }>(folder, 'node_modules', name, 'package.json');
      return (
        dependencies[name] !== undefined &&
        ((own.types ?? own.typings) !== undefined ||
          /\.d\.[cm]?ts"/.test(JSON.stringify(own.exports)) ||
          existsSync(resolve(name).replace(/\.js$/, '.d.ts')))
      );
    };
    expect(new Set(named).size).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !isTyped(name))).toEqual([]);
  });

  it('overrides packages that do not run on the oldest Node, and needs no install scripts', () => {
    const [own, advised] = [readJson<Manifest>(ROOT, 'package.json'), JSON.parse(PACKAGE) as Manifest];
    for (const [name, version] of Object.entries(advised.overrides ?? {})) expect([name, own.overrides?.[name]]).toEqual([name, version]);
    const expected = Object.keys(own.overrides ?? {}).filter((name) => !OF_OTHER_TOOLS.includes(name));
    expect(Object.keys(advised.overrides ?? {}).sort()).toEqual(expected.sort());
    expect(advised.allowScripts).toEqual(Object.fromEntries(Object.keys(own.allowScripts ?? {}).map((name) => [name, false])));
  });

  it('generates its types, compiles and serves, after each change too, while `npm run dev` runs', async () => {
    const { PATH, HOME } = process.env;
    const url = `http://localhost:${await freePort()}`;
    const dev = spawn(process.execPath, [join(folder, 'dev.js')], {
      cwd: folder,
      env: { PATH, HOME, PORT: new URL(url).port, SLUICE_DATA_DIR: join(folder, 'data'), SECRET_KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(dev, 'close');
    let said = '';
    dev.stdout.on('data', (text) => (said += text));
    const starts = (): number => said.split(`Sluice is ready at ${url}`).length - 1;
    const sdl = textOf('tipping/tipping.graphql');
    try {
      // It has generated the types of the project and compiled it: the tests below run what this has built.
      await eventually(() => starts() === 1 || / error TS/.test(said));
      expect(said).not.toContain(' error TS');
      write('tipping/tipping.graphql', sdl.replace('"Tips, added up."', '"The sum of the tips."'));
      await eventually(() => starts() === 2);
      const { body } = await post(`${url}/graphql`, { query: '{ __type(name: "TipSummary") { description } }' });
      expect(body).toEqual({ data: { __type: { description: 'The sum of the tips.' } } });
    } finally {
      dev.kill('SIGTERM');
    }
    // Its output closes only when the server has ended too.
    expect(await ended).toEqual([0, null]);
    write('tipping/tipping.graphql', sdl);
  });

  it('runs; the client of the package asks it', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'dist/tips.js')], { cwd: folder });
    const sold = { seen: ['PENDING', 'PAID'], lost: 'connection' };
    expect(JSON.parse(stdout)).toEqual({ tipsReceived: { count: 1, sats: 21 }, audit: [], ...sold });
  });

  it('can put the client into a page: it loads no module of the server, of Node or of another package than these', async () => {
    const client = join(folder, 'node_modules/sluice/dist/src/client');
    const programs = readdirSync(client).filter((name) => name.endsWith('.js'));
    expect(programs).toContain('index.js');
    const loaded = programs.flatMap((name) =>
      [...readFileSync(join(client, name), 'utf8').matchAll(/(?:from|import\(?) ?['"]([^'"]+)['"]/g)].map(
        ([, specifier = '']) => specifier,
      ),
    );
    expect([...new Set(loaded.filter((specifier) => !/^\.\/[\w.-]+$/.test(specifier)))].sort()).toEqual(['graphql', 'graphql-ws']);
    write('page/page.mts', PAGE);
    // The declarations of the compiler itself are not the subject.
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipDefaultLibCheck: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: [],
    };
    write('page/tsconfig.json', JSON.stringify({ compilerOptions }));
    expect(await node('node_modules/typescript/bin/tsc', '-p', 'page').catch(({ stdout }: { stdout: string }) => stdout)).toBe('');
    rmSync(join(folder, 'page'), { recursive: true });
  });

  it('tests itself with Jest and the preset of the package, several files in one worker', async () => {
    const { PATH, HOME } = process.env;
    const jest = join(folder, 'node_modules/jest/bin/jest.js');
    const { stderr } = await run(process.execPath, [jest, '--runInBand'], { cwd: folder, env: { PATH, HOME, CI: '1' } });
    expect(stderr).toMatch(/^Test Suites: +2 passed, 2 total$/m);
  });

  it('documents the versions that Sluice itself uses, of the generator and of Jest, and one of Vitest that was tried', () => {
    const { devDependencies } = readJson<Manifest>(ROOT, 'package.json');
    const documented = [...GUIDE.matchAll(/ ((?:@[\w-]+\/)?[\w-]+)@(\d+\.\d+\.\d+)/g)].map(([, name = '', version]) => [name, version]);
    expect(documented.map(([name]) => name)).toEqual(expect.arrayContaining(['jest', 'typescript', '@graphql-codegen/cli']));
    expect(documented).toEqual(documented.map(([name = '']) => [name, devDependencies[name] ?? TRIED[name]]));
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
      SECRET_KEY,
    };

    it('take three lines, and run with its own back end', async () => {
      expect(textOf('cli.ts').trim().split('\n').slice(1)).toHaveLength(3);
      expect(await command('cli.js', ['audit'], REAL)).toEqual({
        stdout: `Ledger OK (data folder ${join(folder, 'data')})\n`,
        stderr: '',
      });
    });

    it('can add to Sluice’s commands; only commands that need the node connect to it', async () => {
      expect((await command('own.js', ['tips', 'count', 'alice@example.test'], REAL)).stdout).toBe('0 tips\n');
      expect((await command('own.js', ['node', 'id'], REAL)).stdout).toBe(`The node was reached\n${'02'.padEnd(66, '0')}\n`);
    });
  });
});
