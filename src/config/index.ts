export { Config, loadConfig, type Network } from './config.js';
export { ConfigModule } from './config.module.js';
export { ConfigError, Environment, variablesOf } from './environment.js';
export { makeFolder, writeOnce } from './folder.js';
export { demoSecretKey, existingSecretKey } from './secret-key.js';
export { PROGRAM } from './program.js';
export { readSettings, type Settings } from './settings.js';
export { versionOfSluice } from './version.js';
export { throttlePolicies, type Rate } from './throttle-config.js';
