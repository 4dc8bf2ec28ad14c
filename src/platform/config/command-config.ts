import { BACKENDS, loadConfig, type Config } from './config.js';

/**
 * The configuration of an operator's command. The server has checked its back end's name already; which names exist depends on the server's
 * entry.
 * @throws ConfigError
 */
export function configOfCommand(secretOf: (dataDir: string) => string): Config {
  const { LIGHTNING_BACKEND } = process.env;
  return loadConfig(process.env, secretOf, new Set([...BACKENDS, ...(LIGHTNING_BACKEND ? [LIGHTNING_BACKEND] : [])]));
}

/**
 * The configuration of commands that work on the database as a whole, and use no secret: a demo that is to be restored has none yet.
 * @throws ConfigError
 */
export const storageConfig = (): Config => configOfCommand(() => '');
