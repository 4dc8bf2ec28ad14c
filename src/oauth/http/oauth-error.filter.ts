import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isUnavailable } from '../../database/index.js';
import { OAuthError } from '../oauth-error.js';
import { sendError } from './answer.js';

const log = new Logger('OAuth');
const RETRY_SECONDS = '2';

/** What the protocol says of anything that was thrown. Bugs are logged and told without their text. */
export function oauthErrorOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (isUnavailable(error)) {
    log.warn(`The database is away: ${(error as Error).message}`);
    return new OAuthError('temporarily_unavailable', 'The service is starting or stopping', 503, { 'retry-after': RETRY_SECONDS });
  }
  log.error(error);
  return new OAuthError('server_error', 'Unexpected error', 500);
}

/** For the endpoints that answer in JSON. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    sendError(host.switchToHttp().getResponse<FastifyReply>(), oauthErrorOf(error));
  }
}
