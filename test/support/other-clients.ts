import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT, run } from './server-process.js';

export type PythonClient = 'lnbits' | 'nutshell' | 'authlib';

const PROGRAMS = join(PROJECT, 'test/client/python');
const GO_PROGRAM = join(PROJECT, 'test/client/go');

/** Where scripts/other-clients.js keeps a client, by the hash of what it is made of. */
function folderOf(kind: 'python' | 'go', ...paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of paths.map((path) => readFileSync(path, 'utf8'))) hash.update(`${text.length}:`).update(text);
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), `sluice-${kind}`, hash.digest('hex').slice(0, 16));
}

const environmentOf = (client: PythonClient): string => folderOf('python', join(PROGRAMS, `${client}.txt`));
const goClient = join(folderOf('go', ...['main.go', 'go.mod', 'go.sum'].map((name) => join(GO_PROGRAM, name))), 'client');

/** A test that needs a Python client: where it is not installed, Jest skips this test alone and lists it by name. */
export const itWithPython = (client: PythonClient): jest.It => (existsSync(join(environmentOf(client), 'complete')) ? it : it.skip);

/** The same for the client in Go. */
export const itWithGo = existsSync(goClient) ? it : it.skip;

/** A module of an installed client, as released. */
export function readPythonModule(client: PythonClient, path: string): string {
  const library = join(environmentOf(client), 'lib');
  return readFileSync(join(library, readdirSync(library)[0] ?? '', 'site-packages', path), 'utf8');
}

/** Runs the program of a client. @returns its results */
export const runPythonClient = (client: PythonClient, given: object): Promise<unknown> =>
  resultsOf(join(environmentOf(client), 'bin/python'), [join(PROGRAMS, `${client}-client.py`)], given);

export const runGoClient = (given: object): Promise<unknown> => resultsOf(goClient, [], given);

async function resultsOf(file: string, args: readonly string[], given: object): Promise<unknown> {
  const { code, stdout, stderr } = await run(file, [...args, JSON.stringify(given)], {});
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}
