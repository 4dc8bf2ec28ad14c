export { emailOf, PASSWORD_CHARACTERS, USERNAME_CHARACTERS } from './identity.js';
export { InvitationEntity } from './invitation.entity.js';
export type { InvitationCreateOutcome, InvitationRevokeOutcome } from './invitation.outcome.js';
export type { InvitationRow, InvitationState } from './invitation.row.js';
export {
  INVITATION_HOURS,
  InvitationService,
  MAX_LISTED_INVITATIONS,
  MAX_OPEN_INVITATIONS,
  type NewInvitation,
} from './invitation.service.js';
export { Passwords } from './passwords.js';
export type {
  CreatedUser,
  RegistrationFault,
  RegistrationOutcome,
  RegistrationRefusal,
  UserCreateOutcome,
} from './registration.outcome.js';
export { RegistrationService, type PersonRegistration, type UserRegistration } from './registration.service.js';
export { scopeOfSdl, sdlScopes } from './scope.js';
export { UserEntity } from './user.entity.js';
export { UserModule } from './user.module.js';
export type { PasswordChangeOutcome } from './user.outcome.js';
export { USER_COLUMNS, type UserRow } from './user.row.js';
export { UserService } from './user.service.js';
