import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isUnavailable, OutageLog, outageText } from '../../../platform/database/index.js';
import { AuthenticationError } from '../../../edge/auth/index.js';
import { RETRY_AFTER } from '../../../edge/http/index.js';
import { OAuthError } from '../oauth-error.js';
import { Log } from '../../../platform/logging/index.js';
import { sendError } from './response.js';

const log = new Log('OAuth');
const outages = new OutageLog(log);

/** The protocol's error for anything thrown. Unexpected errors are logged, and returned without their text. */
export function oauthErrorOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof AuthenticationError && error.problem === 'accessPaused')
    return new OAuthError('access_denied', `ACCESS_PAUSED: ${error.message}`, 403);
  if (isUnavailable(error)) {
    outages.report(error);
    return new OAuthError('temporarily_unavailable', outageText(error), 503, { 'retry-after': String(RETRY_AFTER.outage) });
  }
  log.error('oauth_unexpected_error', {}, 'An OAuth endpoint failed; the client received server_error', error);
  return new OAuthError('server_error', 'Internal server error', 500);
}

@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    sendError(host.switchToHttp().getResponse<FastifyReply>(), oauthErrorOf(error));
  }
}
