import type { UserRow } from '../user/index.js';

export const USER_CLAIMS = ['preferred_username', 'name', 'email', 'email_verified'] as const;

/** The claims that the scopes permit (OpenID Connect Core section 5.4). A person has one name here: the username. */
export function claimsOf(
  { username, email, emailVerifiedAt }: UserRow,
  scopes: ReadonlySet<string>,
): Partial<Record<(typeof USER_CLAIMS)[number], string | boolean>> {
  return {
    ...(scopes.has('profile') && { preferred_username: username, name: username }),
    ...(scopes.has('email') && { email, email_verified: emailVerifiedAt !== null }),
  };
}
