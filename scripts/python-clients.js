// Installs the Python packages of two wallets, whose Blink classes test/clients/python-clients.spec.ts runs against Sluice: each in an environment
// of its own, kept in the user's cache folder (half a gigabyte, a few minutes, once). Without them that test is left out, by name.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hashOf, projectRoot } from './project.js';

const CLIENTS = ['lnbits', 'nutshell'];
const PACKAGES = join(projectRoot, 'test/client/python');

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
  if (error || status !== 0) throw new Error(`${command} ${args[0]} ${args[1]} failed${error ? `: ${error.message}` : ''}`);
}

function install(client) {
  const list = join(PACKAGES, `${client}.txt`);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'sluice-python', hashOf(readFileSync(list, 'utf8')).slice(0, 16));
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return;
  console.log(`Installing the Python packages of ${client} ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('python3', ['-m', 'venv', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  run(join(folder, 'bin/python'), ['-m', 'pip', 'install', ...quiet, '--no-deps', '--requirement', list]);
  writeFileSync(complete, '');
}

try {
  for (const client of CLIENTS) install(client);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
