import type { UserEntity } from './user.entity.js';

/** One invalid field. */
export interface RegistrationFault {
  readonly field: 'email' | 'username' | 'password';
  /** Only for a username that is taken: others that were free a moment ago. */
  readonly proposals?: readonly string[];
}

/** Why a person may not register. An invitation that is wrong, used, revoked or expired has one code. */
export type RegistrationRefusal = 'REGISTRATION_CLOSED' | 'INVITATION_INVALID';

interface InvalidRegistration {
  readonly kind: 'invalid';
  readonly faults: readonly RegistrationFault[];
}

interface UsernameTaken {
  readonly kind: 'username_taken';
  /** Usually two that were free a moment ago, rarely fewer. */
  readonly proposals: readonly string[];
}

export type RegistrationOutcome =
  /** Also for a known address: the response must not reveal which addresses are registered. It signs no person in. */
  { readonly kind: 'registered' } | { readonly kind: 'refused'; readonly code: RegistrationRefusal } | InvalidRegistration | UsernameTaken;

/** A new user, as stored: case and surrounding space of what was typed do not matter. */
export type CreatedUser = Pick<UserEntity, 'id' | 'email' | 'username'>;

/** For operators, who may know which addresses are registered. */
export type UserCreateOutcome =
  { readonly kind: 'created'; readonly user: CreatedUser } | { readonly kind: 'email_taken' } | InvalidRegistration | UsernameTaken;
