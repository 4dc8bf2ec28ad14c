// What every command does first: install what is missing, build what is stale. Says nothing when there is nothing to do.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './build.js';
import { ensureInstalled } from './install.js';
import { projectRoot } from './project.js';

/** @param {{ dev: boolean }} options whether the development dependencies are needed too */
export function prepare({ dev }) {
  ensureInstalled({ dev });
  if (isBuilt()) return;
  // In a process of its own: the compiler has no place in the memory of a server.
  const { status } = spawnSync(process.execPath, [join(projectRoot, 'scripts/build.js')], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
