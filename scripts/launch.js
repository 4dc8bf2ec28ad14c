// Runs a program of the build in this very process: signals, exit code and `kill -9` then mean what they say.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt } from './build.js';
import { ensureInstalled } from './install.js';
import { projectRoot } from './project.js';

/**
 * Installs what is missing, builds what is stale, and becomes the program. Says nothing when there is nothing to do.
 * @param {string} program its path below `dist/`
 */
export async function launch(program) {
  ensureInstalled({ dev: false });
  if (!isBuilt()) buildApart();
  // Demo or not: without it, graphql-js checks far more than it needs to.
  process.env.NODE_ENV = 'production';
  const file = join(projectRoot, 'dist', program);
  process.argv[1] = file;
  await import(pathToFileURL(file).href);
}

/** In a process of its own: the compiler has no place in the memory of a server. */
function buildApart() {
  const { status } = spawnSync(process.execPath, [join(projectRoot, 'scripts/build.js')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
