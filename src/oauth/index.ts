export { AppService, type ConnectedApp } from './app/app.service.js';
export type { Client } from './client/client.js';
export { ClientEntity, type ClientState } from './client/client.entity.js';
export { ClientSecretEntity } from './client/client-secret.entity.js';
export { ClientService, type AddSecretOutcome, type ClientSecretRow, type RegisterOutcome } from './client/client.service.js';
export type { NewClient } from './client/registration.js';
export { GrantEntity } from './grant/grant.entity.js';
export { InteractionEntity } from './interaction/interaction.entity.js';
export type {
  AskingClient,
  DecisionOutcome,
  InteractionOutcome,
  InteractionRefusal,
  OpenInteraction,
  SignedInOutcome,
} from './interaction/interaction.outcome.js';
export { InteractionService, type Decision } from './interaction/interaction.service.js';
export { SigningKeyEntity } from './key/signing-key.entity.js';
export { SigningKeys } from './key/signing-keys.js';
export { OAuthModule } from './oauth.module.js';
export { AccessTokenEntity } from './token/access-token.entity.js';
export { CodeEntity } from './token/code.entity.js';
export { RefreshTokenEntity } from './token/refresh-token.entity.js';
