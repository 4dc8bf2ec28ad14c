export { AppService, type ConnectedApp, type EndedApp, type EndedBecause } from './app/app.service.js';
export type {
  ApplicationChange,
  ApplicationFault,
  ApplicationField,
  NewApplication,
  WantedApplication,
} from './application/application.js';
export { APPLICATION_FIELDS, GRANT_TYPES, PURPOSE_LENGTH } from './application/application.js';
export { ApplicationEntity } from './client/application.entity.js';
export { ApplicationEditor, MAX_APPLICATIONS } from './application/application-editor.js';
export { ApplicationService, type Application, type Approval, type DecisionOutcome } from './application/application.service.js';
export type { Actor } from './application/application-log.js';
export { ApplicationCredentials } from './application/application-credentials.js';
export type { Client } from './client/client.js';
export { ClientService, type ClientSecret } from './client/client.service.js';
export { GrantEntity } from './grant/grant.entity.js';
export { SigningKeys } from './key/signing-keys.js';
export { OAuthModule } from './oauth.module.js';
export { hasOffline } from './scope-text.js';
export { OAuthSettings } from './oauth.settings.js';
