import { userIdOf, type Principal } from '../../edge/auth/index.js';
import { AccessError, type ErrorCode } from '../../edge/graphql/index.js';
import { FRESH_SECONDS, type SessionService } from './session.service.js';

/** The user of a session that proved lately who they are. @throws AccessError (RFC 9470): the script signs in again, and repeats the call */
export async function freshUserId(sessions: SessionService, principal: Principal): Promise<string> {
  if (await sessions.isFresh(principal.id, FRESH_SECONDS)) return userIdOf(principal);
  const code: ErrorCode = 'INSUFFICIENT_USER_AUTHENTICATION';
  throw new AccessError('Sign in again to change this', { extensions: { code, max_age: FRESH_SECONDS } });
}
