import type { PageSession } from '../http/page-sessions.js';
import { OAuthError } from '../oauth-error.js';
import type { AuthorizationRequest } from './authorization-request.js';

/**
 * Whether this sign-in is recent enough for what was asked at `askedAt`. Judged by that moment, so that nobody who takes their time over a
 * page is sent back to sign in again.
 */
export function isFresh({ prompt, maxAgeSeconds }: AuthorizationRequest, authTime: Date, askedAt: Date): boolean {
  const signedInSince = authTime >= askedAt;
  if (prompt.includes('login') || prompt.includes('select_account') || maxAgeSeconds === 0) return signedInSince;
  return signedInSince || maxAgeSeconds === null || authTime.getTime() + maxAgeSeconds * 1000 >= askedAt.getTime();
}

/** What has to happen before the app is answered; `approve`: nothing. */
export type NextStep = 'login' | 'consent' | 'approve';

/** Who is signed in while something is asked. */
export interface Present {
  readonly session: PageSession;
  /** The moment of the request, by the clock that timed the sign-in: the database's. */
  readonly askedAt: Date;
  /** The person allowed all of this before, and need not be asked again. */
  readonly remembered: boolean;
}

/**
 * OpenID Connect Core section 3.1.2.3.
 * @throws OAuthError when nobody may be asked (`prompt=none`), or when somebody else is signed in than the app expects
 */
export function nextStep(request: AuthorizationRequest, present: Present | null): NextStep {
  const silent = request.prompt.includes('none');
  if (present && request.subject !== null && request.subject !== present.session.user.id) {
    throw new OAuthError('login_required', 'Somebody else is signed in');
  }
  if (!present || !isFresh(request, present.session.session.authTime, present.askedAt)) {
    if (silent) throw new OAuthError('login_required', 'Nobody is signed in, or not recently enough');
    return 'login';
  }
  if (present.remembered && !request.prompt.includes('consent')) return 'approve';
  if (silent) throw new OAuthError('consent_required', 'The person has to be asked');
  return 'consent';
}
