import { BACKENDS, loadConfig, type Config } from './config.js';

/** The server has checked the name of its back end already; which names exist depends on the entry of the server. @throws ConfigError */
export function configOfCommand(secretOf: (dataDir: string) => string): Config {
  const { LIGHTNING_BACKEND } = process.env;
  return loadConfig(process.env, secretOf, new Set([...BACKENDS, ...(LIGHTNING_BACKEND ? [LIGHTNING_BACKEND] : [])]));
}

/** Commands that work on the database as a whole use no secret: a demo that is to be restored has none yet. @throws ConfigError */
export const storageConfig = (): Config => configOfCommand(() => '');
