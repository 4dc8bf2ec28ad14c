import { Global, Module } from '@nestjs/common';
import { IdentityModule, IdentityRemoval } from '../identity/index.js';
import { SessionModule } from '../session/index.js';
import { UserModule } from '../user/index.js';
import { PendingRequest } from '../signin/index.js';
import { CallModule } from '../call/index.js';
import { OperatorActionModule } from '../../platform/operator-action/index.js';
import { AppService } from './app/app.service.js';
import { ApplicationCredentials } from './application/application-credentials.js';
import { ApplicationEditor } from './application/application-editor.js';
import { ApplicationLog } from './application/application-log.js';
import { ApplicationService } from './application/application.service.js';
import { ApplicationStore } from './application/application.store.js';
import { ClientDocuments } from './application/client-documents.js';
import { ClientProfiles } from './application/client-profile.js';
import { DocumentApplications } from './application/document-applications.js';
import { AuthorizeController } from './authorize/authorize.controller.js';
import { AuthorizationFlow } from './authorize/authorization-flow.js';
import { AuthorizeErrorFilter } from './authorize/authorize-error.filter.js';
import { BasicClientStrategy } from './client/basic-client.strategy.js';
import { ClientAssertions } from './client/client-assertions.js';
import { ClientAuthenticator } from './client/client-authenticator.js';
import { ClientDocumentSource } from './client/client-document-source.js';
import { ClientKeys } from './client/client-keys.js';
import { ClientService } from './client/client.service.js';
import { ConsentBinding, ConsentController } from './consent/consent.controller.js';
import { Dpop } from './dpop/dpop.js';
import { ProofWindow } from './dpop/proof-window.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { BackchannelLogouts } from './logout/backchannel-logouts.js';
import { EndSessionController } from './logout/logout.controller.js';
import { LogoutRequests } from './logout/logout-requests.js';
import { GrantService } from './grant/grant.service.js';
import { FormEndpoints } from './authorize/form-endpoints.js';
import { InteractionService } from './interaction/interaction.service.js';
import { InteractionStore } from './interaction/interaction.store.js';
import { PushedRequestController } from './authorize/pushed-request.controller.js';
import { RequestChecks } from './authorize/request-checks.js';
import { RequestingClients } from './authorize/requesting-clients.js';
import { PushedRequests } from './request/pushed-requests.js';
import { Resources } from './request/resources.js';
import { OAuthCleanupJob } from './cleanup.job.js';
import { SigningKeys } from './key/signing-keys.js';
import { IntrospectController } from './introspect/introspect.controller.js';
import { IntrospectService } from './introspect/introspect.service.js';
import { RevokeController } from './revoke/revoke.controller.js';
import { RevokeService } from './revoke/revoke.service.js';
import { CodeStore } from './token/code.store.js';
import { ClientCredentialsHandler } from './token/grant-type/client-credentials.handler.js';
import { AuthorizationCodeHandler } from './token/grant-type/authorization-code.handler.js';
import { RefreshTokenHandler } from './token/grant-type/refresh-token.handler.js';
import { Oauth2TokenStrategy } from './token/oauth2-token.strategy.js';
import { RefreshStore } from './token/refresh.store.js';
import { TokenRefusals } from './token/token-refusals.js';
import { GRANT_TYPE_HANDLERS, type GrantTypeHandler, TokenResponseBuilder } from './token/grant-type-handler.js';
import { TokenController } from './token/token.controller.js';
import { UserinfoController } from './userinfo/userinfo.controller.js';

const AUTHORIZE = [AuthorizationFlow, AuthorizeErrorFilter, FormEndpoints, PushedRequests, RequestChecks, RequestingClients, Resources];
const INTERACTION = [
  ConsentBinding,
  InteractionService,
  InteractionStore,
  GrantService,
  { provide: PendingRequest, useExisting: InteractionService },
];
const APPLICATION = [
  ApplicationCredentials,
  ApplicationEditor,
  ApplicationLog,
  ApplicationService,
  ApplicationStore,
  ClientDocuments,
  ClientProfiles,
  DocumentApplications,
];
const CLIENT = [BasicClientStrategy, ClientAssertions, ClientAuthenticator, ClientDocumentSource, ClientKeys, ClientService];
const HANDLERS = [AuthorizationCodeHandler, RefreshTokenHandler, ClientCredentialsHandler];
const LOGOUT = [BackchannelLogouts, LogoutRequests];
const TOKEN = [
  ...HANDLERS,
  { provide: GRANT_TYPE_HANDLERS, useFactory: (...handlers: GrantTypeHandler[]) => handlers, inject: HANDLERS },
  CodeStore,
  Dpop,
  IntrospectService,
  Oauth2TokenStrategy,
  ProofWindow,
  RefreshStore,
  RevokeService,
  TokenRefusals,
  TokenResponseBuilder,
];

/** The authorization server: OAuth 2.0 and OpenID Connect for third-party apps. Global for `PendingRequest`, by which the sign-in pages reach it. */
@Global()
@Module({
  imports: [CallModule, IdentityModule, OperatorActionModule, SessionModule, UserModule],
  controllers: [
    AuthorizeController,
    ConsentController,
    DiscoveryController,
    EndSessionController,
    IntrospectController,
    PushedRequestController,
    RevokeController,
    TokenController,
    UserinfoController,
  ],
  providers: [...AUTHORIZE, ...INTERACTION, ...APPLICATION, ...CLIENT, ...LOGOUT, ...TOKEN, AppService, OAuthCleanupJob, SigningKeys],
  exports: [
    ApplicationCredentials,
    ApplicationEditor,
    ApplicationService,
    AppService,
    ClientProfiles,
    ClientService,
    PendingRequest,
    SigningKeys,
  ],
})
export class OAuthModule {
  constructor(removal: IdentityRemoval, apps: AppService) {
    removal.joinEnd((tx, userId) => apps.revokeAll(tx, userId, 'removed by the organisation'));
  }
}
