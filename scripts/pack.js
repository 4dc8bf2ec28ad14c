// Before npm creates the package (`npm pack`): the build, and the type declarations for other TypeScript projects. Only the package has
// them: a start needs none, and would have to install the compiler.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { join } = await import('node:path');
const { build } = await import('./build.js');
const { ensureInstalled } = await import('./install.js');
const { COMPILER, projectRoot } = await import('./project.js');

ensureInstalled({ dev: true });
await build();
// tsc's output goes to standard error; npm prints the file name to standard output.
const { status } = spawnSync(process.execPath, [COMPILER, '-p', join(projectRoot, 'tsconfig.pack.json')], { stdio: ['ignore', 2, 2] });
process.exitCode = status ?? 1;
