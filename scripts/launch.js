// Runs a program of the build in this process, so that signals, exit code and `kill -9` reach it directly.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt } from './build.js';
import { ensureInstalled } from './install.js';
import { projectRoot } from './project.js';

/**
 * Installs missing packages, builds if the build is stale, then runs the program. Silent when there is nothing to do.
 * @param {string} program its path below `dist/`
 */
export async function launch(program) {
  ensureInstalled({ dev: false });
  if (!isBuilt()) buildApart();
  // In demo mode too: otherwise graphql-js makes many unneeded checks.
  process.env.NODE_ENV = 'production';
  const file = join(projectRoot, 'dist', program);
  process.argv[1] = file;
  await import(pathToFileURL(file).href);
}

/** In a separate process: the compiler must not stay in the server's memory. */
function buildApart() {
  const { status } = spawnSync(process.execPath, [join(projectRoot, 'scripts/build.js')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
