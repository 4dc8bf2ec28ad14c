export { configOfCommand, storageConfig } from './command-config.js';
export { ConfigError } from './config-error.js';
export { BACKENDS, Config, loadConfig, type Network } from './config.js';
export { ConfigModule } from './config.module.js';
export { Environment } from './environment.js';
export { makeFolder, writeOnce } from './folder.js';
export { demoSecretKey, existingSecretKey } from './secret-key.js';
export { PaymentWait } from './payment-wait.js';
export { PROGRAM } from './program.js';
export { programEnvironment } from './program-environment.js';
export { retiredVariables } from './retired.js';
export { hours, int, networks, oneOf, rate, yesNo } from './rules.js';
export {
  isVariable,
  meaningOf,
  readVariables,
  Setting,
  variablesIn,
  variablesOf,
  type ProcessVariables,
  type SettingsClass,
} from './setting.js';
export { readSettings, type Settings, type SettingsOverrides } from './settings.js';
export { versionOfSluice } from './version.js';
export { RATE_FORM, RATE_RULE, rateOf, type Rate } from './rate.js';
