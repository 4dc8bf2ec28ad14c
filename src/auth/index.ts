export { AnyCredential, PageSession, Public, Scopes, SessionOnly, SkipCredentialCheck } from './access.js';
export { PageClass } from './access-check.js';
export { AuthModule } from './auth.module.js';
export { Authenticator, AuthenticationError } from './authenticator.js';
export type { Credential, CredentialRequest, CredentialStrategy } from './credential.js';
export { runStrategy, type PassportStrategy } from './passport.js';
export { TOO_MANY_CALLS } from './cost.plugin.js';
export { CallLimits } from './call-limits.js';
export { CredentialCache } from './credential-cache.js';
export { CredentialUsage, type Usage } from './credential-usage.js';
export { requireScopes } from './nested-access.js';
export {
  ANONYMOUS,
  attemptOf,
  contextOf,
  isRevokedBy,
  userIdOf,
  type CredentialKind,
  type GqlContext,
  type Principal,
} from './principal.js';
export { CORE_SCOPES, MANAGE_KEYS, ScopeCatalogue, type ScopeDefinition } from './scope-catalogue.js';
export { RevocationPoller, type CredentialRef } from './revocation-poller.js';
export { CurrentPrincipal, CurrentVisitor, PageSessionError, type Visitor } from './visitor.js';
