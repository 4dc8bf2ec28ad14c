import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROJECT, run } from './server-process.js';

export type PythonClient = 'lnbits' | 'nutshell';

const PROGRAMS = join(PROJECT, 'test/client/python');

/** The environment that scripts/python-clients.js has installed, by the hash of the list of its packages. */
function environmentOf(client: PythonClient): string {
  const list = readFileSync(join(PROGRAMS, `${client}.txt`), 'utf8');
  const hash = createHash('sha256').update(`${list.length}:`).update(list).digest('hex');
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'sluice-python', hash.slice(0, 16));
}

/** A test that needs a Python client: where it is not installed, Jest skips this test alone and lists it by name. */
export const itWithPython = (client: PythonClient): jest.It => (existsSync(join(environmentOf(client), 'complete')) ? it : it.skip);

/** A module of an installed client, as released. */
export function readPythonModule(client: PythonClient, path: string): string {
  const library = join(environmentOf(client), 'lib');
  return readFileSync(join(library, readdirSync(library)[0] ?? '', 'site-packages', path), 'utf8');
}

/** Runs the program of a client. @returns its results */
export async function runPythonClient(client: PythonClient, given: object): Promise<unknown> {
  const program = join(PROGRAMS, `${client}-wallet.py`);
  const { code, stdout, stderr } = await run(join(environmentOf(client), 'bin/python'), [program, JSON.stringify(given)], {});
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}
