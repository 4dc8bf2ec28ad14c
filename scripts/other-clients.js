// Installs what tests in test/clients run against Sluice and npm does not have, in the user's cache folder, once. Without it those tests are left
// out, by name. In Python, each in an environment of its own (half a gigabyte, a few minutes): two wallets, and Authlib. In Go, where there is
// Go: a program on golang.org/x/oauth2.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hashOf, projectRoot } from './project.js';

const CLIENTS = ['lnbits', 'nutshell', 'authlib'];
const PACKAGES = join(projectRoot, 'test/client/python');
const GO_PROGRAM = join(projectRoot, 'test/client/go');

function run(command, args, cwd = projectRoot) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], cwd });
  if (error || status !== 0) throw new Error(`${command} ${args[0]} ${args[1]} failed${error ? `: ${error.message}` : ''}`);
}

/** Where a client is kept: another one once what it is made of has changed. */
function folderOf(kind, ...paths) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, `sluice-${kind}`, hashOf(...paths.map((path) => readFileSync(path, 'utf8'))).slice(0, 16));
}

function install(client) {
  const list = join(PACKAGES, `${client}.txt`);
  const folder = folderOf('python', list);
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

function buildGoClient() {
  const program = join(folderOf('go', ...['main.go', 'go.mod', 'go.sum'].map((name) => join(GO_PROGRAM, name))), 'client');
  if (existsSync(program) || spawnSync('go', ['version']).error) return;
  console.log('Building the client in Go ...');
  run('go', ['build', '-mod=readonly', '-o', program, '.'], GO_PROGRAM);
}

for (const step of [...CLIENTS.map((client) => () => install(client)), buildGoClient]) {
  try {
    step();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
