// `npm run pack:client`: the client of the API as a package of its own, in dist/client-package, and packed there. It holds what `sluice/client`
// is and nothing of the server: `graphql` is its only peer.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { ensureInstalled } = await import('./install.js');
const { COMPILER, projectRoot, readJson } = await import('./project.js');

const FOLDER = join(projectRoot, 'dist/client-package');
/** A package of types alone: the one type of it that the client uses is written beside its own. */
const TYPED_DOCUMENT = '@graphql-typed-document-node/core';

function run(command, args, cwd = projectRoot) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' && command === 'npm' });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed`);
}

ensureInstalled({ dev: true });
const { build } = await import('esbuild');
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await build({
  entryPoints: [join(projectRoot, 'src/client/index.ts')],
  outfile: join(FOLDER, 'index.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  external: ['graphql'],
  // A page loads the part that asks over a WebSocket, and no server.
  conditions: ['browser', 'import'],
  logLevel: 'warning',
});

const types = join(FOLDER, 'types');
run(process.execPath, [COMPILER, '-p', join(projectRoot, 'tsconfig.client.json'), '--outDir', types]);
for (const name of readdirSync(types)) {
  const path = join(types, name);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`'${TYPED_DOCUMENT}'`, "'./typed-document.js'"));
}
writeFileSync(
  join(types, 'typed-document.d.ts'),
  'export interface DocumentTypeDecoration<TResult, TVariables> {\n  __apiType?: (variables: TVariables) => TResult;\n}\n',
);

const { version, license, engines } = readJson(projectRoot, 'package.json');
const manifest = {
  name: 'sluice-client',
  version,
  description: 'A typed client of the API of a Sluice server, for browsers and Node',
  license,
  type: 'module',
  engines,
  exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
  files: ['index.js', 'types'],
  sideEffects: false,
  // It takes `print` alone of it, which all of 16 have.
  peerDependencies: { graphql: '^16.0.0' },
};
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
const licences = ['LICENSE', 'node_modules/graphql-ws/LICENSE.md'].map((path) => readFileSync(join(projectRoot, path), 'utf8'));
writeFileSync(join(FOLDER, 'LICENSE'), licences.join('\n---\n\nindex.js contains the code of graphql-ws:\n\n'));
const operations = readFileSync(join(projectRoot, 'src/client/operations.graphql'), 'utf8');
const documents = [...operations.matchAll(/^(query|mutation|subscription) (\w+)/gm)].map(
  ([, kind, name]) => `- \`${name}Document\`, a ${kind}`,
);
writeFileSync(join(FOLDER, 'README.md'), `${readFileSync(join(projectRoot, 'src/client/README.md'), 'utf8')}${documents.join('\n')}\n`);
run('npm', ['pack', '--silent'], FOLDER);
console.log(`packed dist/client-package/sluice-client-${version}.tgz`);
