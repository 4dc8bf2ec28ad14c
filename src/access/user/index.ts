export { sdlBudget } from './budget.js';
export { type PauseCause } from './access-pause.entity.js';
export { AccessPauseService, isPaused, type AccessPauseRow } from './access-pause.service.js';
export { emailOf, PASSWORD_CHARACTERS, personNameOf, USERNAME_CHARACTERS, usernameOf } from './identity.js';
export { EmailLinks, type EmailLink } from './email-links.js';
export { EmailRegistrations } from './email-registrations.js';
export { EmailRequests, EmailService } from './email.service.js';
export type { InvitationRow } from './invitation.service.js';
export { INVITATION_HOURS, InvitationService, MAX_LISTED_INVITATIONS, MAX_OPEN_INVITATIONS } from './invitation.service.js';
export type { Operator } from './operator.service.js';
export { OperatorService } from './operator.service.js';
export { PasswordSettings } from './password.settings.js';
export { PasswordResetService } from './password-reset.service.js';
export { Passwords } from './passwords.js';
export type { RegistrationFault, RegistrationIntent, RegistrationOutcome, UserCreateOutcome } from './registration.service.js';
export { RegistrationService, type UserRegistration } from './registration.service.js';
export { RESET_LINK_HOURS, ResetLinkService, type ResetLinkOwner } from './reset-link.service.js';
export { scopeOfSdl, sdlScopes } from './scope.js';
export { UserEntity } from './user.entity.js';
export { UserModule } from './user.module.js';
export type { PasswordChangeWork, ResetLimit } from './user.service.js';
export {
  isDisabled,
  ProfileService,
  type RenameOutcome,
  USER_COLUMNS,
  USERNAME_DAYS,
  UserService,
  type NewPerson,
  type UserRow,
} from './user.service.js';
export { RegistrationSettings } from './registration.settings.js';
