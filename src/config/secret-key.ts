import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folder.js';
import { ConfigError } from './environment.js';

/**
 * The demo's secret: made once, kept beside its data. Two processes that start at once agree, because a link is made only once.
 * @throws ConfigError where the data folder cannot be made, read or written
 */
export function demoSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  try {
    return readSecret(file) ?? makeSecret(dataDir, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`SLUICE_DATA_DIR must be a folder that this user can make, read and write (${code})`]);
  }
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function makeSecret(dataDir: string, file: string): string {
  makeFolder(dataDir);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
