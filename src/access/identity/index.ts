// The company's sign-in: a provider behind a port proves who a person is, and IdentitySignIn finds or makes their account.
export {
  checkedIdentity,
  IdentityProvider,
  type IdentityLogout,
  type IdentityOutcome,
  type IdentityRefusal,
  type IdentityRequest,
  type IdentityStart,
  type ProvedIdentity,
} from './identity-provider.js';
export { IdentityLogoutEntity } from './identity-logout.entity.js';
export { IdentityModule } from './identity.module.js';
export { IdentitySettings } from './identity.settings.js';
export { IdentityRemoval } from './identity-removal.js';
export { IdentitySignIn, type IdentitySignInOutcome } from './identity-sign-in.js';
export { UserIdentityEntity } from './user-identity.entity.js';
