export { AnyCredential, PageSession, Public, Scopes, SessionOnly, SkipCredentialCheck, requireScopes } from './access.js';
export { PageClass } from './access-check.js';
export { AuthModule } from './auth.module.js';
export { Authenticator, AuthenticationError } from './authenticator.js';
export { type Credential, type CredentialRequest, type CredentialStrategy, runStrategy, type PassportStrategy } from './credential.js';
export { TOO_MANY_CALLS, CallLimits } from './call-limits.js';
export { CredentialCache } from './credential-cache.js';
export { CredentialUsage, type Usage } from './credential-usage.js';
export {
  ANONYMOUS,
  contextOf,
  isRevokedBy,
  userIdOf,
  type GqlContext,
  type Principal,
  type Call,
  CurrentCall,
  CurrentPrincipal,
  CurrentVisitor,
  PageSessionError,
  type Visitor,
} from './principal.js';
export { CORE_SCOPES, MANAGE_KEYS, ScopeCatalogue, type ScopeDefinition } from './scope-catalogue.js';
export { RevocationPoller, type CredentialRef } from './revocation-poller.js';
