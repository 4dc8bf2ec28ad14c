import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const BUILT = join(ROOT, 'dist/client-package');
const SHOP = `
import { createClient, LnInvoiceCreateDocument, OnLnInvoicePaymentStatusByHashDocument } from 'sluice-client';
import { WebSocket } from 'ws';
const [url, apiKey, walletId] = process.argv.slice(2);
const client = createClient({ url, apiKey, webSocket: WebSocket });
const { lnInvoiceCreate } = await client.request(LnInvoiceCreateDocument, { input: { walletId, amount: 21 } });
const input = { paymentHash: lnInvoiceCreate.invoice.paymentHash };
for await (const { lnInvoicePaymentStatusByHash } of client.subscribe(OnLnInvoicePaymentStatusByHashDocument, { input })) {
  console.log(lnInvoicePaymentStatusByHash.status);
  break;
}
client.close();
`;

/** `npm run pack:client`, installed beside `graphql` alone. */
describe('the package of the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-client-'));
  const home = join(folder, 'node_modules/sluice-client');
  const filesOf = (path: string): string[] =>
    (readdirSync(path, { recursive: true }) as string[]).filter((each) => statSync(join(path, each)).isFile()).sort();
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    await run(process.execPath, [join(ROOT, 'scripts/client-package.js')], { cwd: folder });
    mkdirSync(home, { recursive: true });
    const [tarball = ''] = readdirSync(BUILT).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', join(BUILT, tarball), '-C', home, '--strip-components=1']);
    symlinkSync(join(ROOT, 'node_modules/graphql'), join(folder, 'node_modules/graphql'));
    app = await createTestApp();
    alice = await new Fixture(app).user();
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('has the client with its types, below a megabyte, and one peer', () => {
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<string, unknown>;
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(manifest).toMatchObject({ name: 'sluice-client', version, peerDependencies: { graphql: '^16.0.0' } });
    for (const list of ['dependencies', 'optionalDependencies', 'scripts']) expect(manifest).not.toHaveProperty(list);
    expect(filesOf(home)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'types/generated.d.ts', 'types/index.d.ts']));
    const licence = readFileSync(join(home, 'LICENSE'), 'utf8');
    // The code of graphql-ws is part of index.js, and its licence demands its notice there.
    for (const path of ['LICENSE', 'node_modules/graphql-ws/LICENSE.md'])
      expect(licence).toContain(readFileSync(join(ROOT, path), 'utf8').trim());
    expect(filesOf(home).reduce((sum, path) => sum + statSync(join(home, path)).size, 0)).toBeLessThan(1_000_000);
  });

  it('imports nothing but its peer, in its code and in its types', () => {
    const programs = filesOf(home).filter((path) => /\.(js|d\.ts)$/.test(path));
    const imported = programs.flatMap((path) =>
      [...readFileSync(join(home, path), 'utf8').matchAll(/^(?:import|export) (?:[^'"\n]* from )?['"]([^'"]+)['"]/gm)].map(
        ([, name]) => name,
      ),
    );
    expect([...new Set(imported.filter((name) => !name?.startsWith('./')))]).toEqual(['graphql']);
  });

  it('names each document in its README, whose example compiles with the types of browsers alone', async () => {
    const readme = readFileSync(join(home, 'README.md'), 'utf8');
    const operations = parse(readFileSync(join(ROOT, 'src/client/operations.graphql'), 'utf8')).definitions.flatMap((each) =>
      each.kind === 'OperationDefinition' ? [`${each.name?.value}Document`] : [],
    );
    expect([...readme.matchAll(/^- `(\w+)`, a (?:query|mutation|subscription)$/gm)].map(([, name]) => name)).toEqual(operations);
    const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    writeFileSync(join(folder, 'page.mts'), example);
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.mts'] }));
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('asks a server, and hears its events', async () => {
    symlinkSync(join(ROOT, 'node_modules/ws'), join(folder, 'node_modules/ws'));
    writeFileSync(join(folder, 'shop.mjs'), SHOP);
    const { stdout } = await run(process.execPath, ['shop.mjs', app.url, alice.keys.receive, alice.wallets.BTC], { cwd: folder });
    expect(stdout).toBe('PENDING\n');
  });
});
