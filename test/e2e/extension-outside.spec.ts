import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post } from '../support/http.js';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const TIPPING = 'test/extensions/tipping';

const PACKAGE = `{ "name": "acme", "type": "module", "private": true }`;
const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2023", "lib": ["ES2023"], "module": "NodeNext", "types": ["node", "jest"], "rootDir": ".", "outDir": "dist",
    "strict": true, "skipLibCheck": true, "experimentalDecorators": true, "emitDecoratorMetadata": true
  },
  "include": ["tipping", "main.ts", "tips.ts"]
}`;
const DOCS = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');
/** Word for word as docs/extending.md shows them. */
const CODEGEN = /```ts\n(import type \{ CodegenConfig \}[^]*?)```/.exec(DOCS)?.[1] ?? '';
const MAIN = /```ts\n(\/\/ main\.ts[^]*?)```/.exec(DOCS)?.[1] ?? '';
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

/** The example, moved to a project of its own that has Sluice as a dependency, and nothing else of this repository. */
describe('an extension outside of this repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-acme-'));
  const fromPackage = (text: string): string =>
    text.replaceAll("'../../../src/index.js'", "'sluice'").replaceAll("'../../../src/testing/index.js'", "'sluice/testing'");
  const node = async (program: string, ...args: string[]): Promise<string> =>
    (await run(process.execPath, [join(ROOT, program), ...args], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })).stdout;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  beforeAll(() => {
    mkdirSync(join(folder, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    symlinkSync(ROOT, join(folder, 'node_modules/sluice'));
    cpSync(join(ROOT, TIPPING), join(folder, 'tipping'), { recursive: true });
    for (const path of readdirSync(join(folder, 'tipping'), { recursive: true, encoding: 'utf8' })) {
      if (path.endsWith('.ts')) write(`tipping/${path}`, fromPackage(readFileSync(join(folder, 'tipping', path), 'utf8')));
    }
    rmSync(join(folder, 'tipping/generated.ts'));
    for (const [path, text] of Object.entries({
      'package.json': PACKAGE,
      'tsconfig.json': TSCONFIG,
      'codegen.ts': CODEGEN,
      'main.ts': MAIN,
      'tips.ts': TIPS,
    }))
      write(path, text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('generates the same types, compiles, and runs', async () => {
    await node('node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts');
    const types = readFileSync(join(folder, 'tipping/generated.ts'), 'utf8');
    expect(types).toBe(fromPackage(readFileSync(join(ROOT, TIPPING, 'generated.ts'), 'utf8')));

    await node('node_modules/typescript/bin/tsc', '-p', '.').catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
    cpSync(join(folder, 'tipping/tipping.graphql'), join(folder, 'dist/tipping/tipping.graphql'));
    const { stdout } = await run(process.execPath, [join(folder, 'dist/tips.js')], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ tipsReceived: { count: 1, sats: 21 }, audit: [] });
  }, 240_000);

  it('serves from an entry of its own, and ends when it is told to', async () => {
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
      await eventually(() => said.split('\n').includes(`Sluice is ready at ${url}`), 60_000);
      const { body } = await post(`${url}/graphql`, { query: '{ __type(name: "TipSummary") { name } }' });
      expect(body).toEqual({ data: { __type: { name: 'TipSummary' } } });
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  }, 120_000);
});
