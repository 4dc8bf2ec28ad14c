export { Config, loadConfig, type Network, type Rate } from './config.js';
export { ConfigModule } from './config.module.js';
export { ConfigError } from './environment.js';
export { makeFolder } from './folder.js';
export { demoSecretKey, existingSecretKey } from './secret-key.js';
export { PinoLogger } from './logger.js';
