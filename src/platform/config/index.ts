export { configOfCommand, storageConfig, BACKENDS, Config, loadConfig, type Addresses, type Network } from './config.js';
export {
  ConfigError,
  isVariable,
  meaningOf,
  Setting,
  variablesIn,
  variablesOf,
  type ProcessVariables,
  type SettingsClass,
} from './setting.js';
export { ConfigModule } from './config.module.js';
export { Environment } from './environment.js';
export { makeFolder, syncFolder, writeOnce } from './folder.js';
export { demoSecretKey, existingSecretKey } from './secret-key.js';
export { PaymentWait, readSettings, type Settings } from './settings.js';
export { unknownVariables } from './unknown-variables.js';
export { PROGRAM, programEnvironment, versionOfSluice } from './program.js';
export {
  hours,
  int,
  matching,
  networkOf,
  networks,
  oneOf,
  rate,
  tiers,
  tiersOf,
  yesNo,
  RATE_FORM,
  RATE_RULE,
  rateOf,
  url,
  type Tiers,
} from './rules.js';
