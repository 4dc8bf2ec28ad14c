// Runs a program of the build in this very process: signals, exit code and `kill -9` then mean what they say.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.js';
import { projectRoot } from './project.js';

/** @param {string} program its path below `dist/` */
export async function launch(program) {
  prepare({ dev: false });
  // Demo or not: without it, graphql-js checks far more than it needs to.
  process.env.NODE_ENV = 'production';
  process.setSourceMapsEnabled(true);
  const file = join(projectRoot, 'dist', program);
  process.argv[1] = file;
  await import(pathToFileURL(file).href);
}
