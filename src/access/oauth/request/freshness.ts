import type { AuthorizationRequest } from './authorization-request.js';

/**
 * Whether the sign-in is recent enough for a request at `askedAt`. That moment counts, so that a person who takes time over a page does not
 * have to sign in again.
 */
export function isFresh({ prompt, maxAgeSeconds }: AuthorizationRequest, authTime: Date, askedAt: Date): boolean {
  const signedInSince = authTime >= askedAt;
  if (prompt.includes('login') || prompt.includes('select_account') || maxAgeSeconds === 0) return signedInSince;
  return signedInSince || maxAgeSeconds === null || authTime.getTime() + maxAgeSeconds * 1000 >= askedAt.getTime();
}
