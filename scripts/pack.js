// Before npm makes the package (`npm pack`): the build, and the declarations that TypeScript in another project reads. They belong
// to the package alone: a start needs none, and would have to install the compiler.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { createRequire } = await import('node:module');
const { join } = await import('node:path');
const { build } = await import('./build.js');
const { ensureInstalled } = await import('./install.js');
const { projectRoot } = await import('./project.js');

ensureInstalled({ dev: true });
await build();
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
// What tsc finds is for the person; npm's own answer, the name of the file, goes to standard output.
const { status } = spawnSync(process.execPath, [tsc, '-p', join(projectRoot, 'tsconfig.pack.json')], { stdio: ['ignore', 2, 2] });
process.exitCode = status ?? 1;
