import type { Visitor } from '../../../edge/auth/index.js';
import { OAuthError } from '../oauth-error.js';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import { isFresh } from '../request/freshness.js';

export type NextStep = 'login' | 'consent' | 'approve';

export interface SignInState {
  readonly session: { readonly session: Pick<Visitor['session'], 'authTime'>; readonly user: Pick<Visitor['user'], 'id'> };
  /** The time of the request, by the database's clock, which also timed the sign-in. */
  readonly askedAt: Date;
  readonly remembered: boolean;
}

/**
 * OpenID Connect Core section 3.1.2.3.
 * @throws OAuthError if `prompt=none` excludes a page, or if another person is signed in than the app expects
 */
export function nextStep(request: AuthorizationRequest, present: SignInState | null): NextStep {
  const silent = request.prompt.includes('none');
  if (present && request.subject !== null && request.subject !== present.session.user.id) {
    throw new OAuthError('login_required', 'A different user is signed in');
  }
  if (!present || !isFresh(request, present.session.session.authTime, present.askedAt)) {
    if (silent) throw new OAuthError('login_required', 'Login required');
    return 'login';
  }
  if (present.remembered && !request.prompt.includes('consent')) return 'approve';
  if (silent) throw new OAuthError('consent_required', 'User consent required');
  return 'consent';
}
