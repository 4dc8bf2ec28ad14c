import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeOnce } from './folder.js';
import { ConfigError } from './setting.js';

/**
 * The demo's secret: generated once, kept beside its data. Two processes that start at once agree on it.
 * @throws ConfigError when the data folder cannot be created, read or written
 */
export function demoSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  return guarded(dataDir, () => {
    const known = readSecret(file);
    if (known !== undefined) return known;
    makeFolder(dataDir);
    writeOnce(file, randomBytes(32).toString('base64url'));
    return readFileSync(file, 'utf8').trim();
  });
}

/**
 * Only reads the secret: an operator's command beside a server must not generate another, which would encrypt what the server cannot decrypt.
 * @throws ConfigError when there is none, or it cannot be read
 */
export function existingSecretKey(dataDir: string): string {
  const secret = guarded(dataDir, () => readSecret(join(dataDir, 'secret-key')));
  if (secret === undefined) throw new ConfigError(['SECRET_KEY must be set to the value of the server; the data folder has none']);
  return secret;
}

function guarded<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`SLUICE_DATA_DIR must be a folder that this user can write to; cannot write to ${dataDir} (${code})`]);
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
