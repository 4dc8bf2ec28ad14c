import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, PoolExhaustedError } from '../../../platform/database/index.js';
import { RETRY_AFTER } from '../../../edge/http/index.js';
import { newReference } from '../../../platform/kernel/reference.js';
import { Log, RefusalLog } from '../../../platform/logging/index.js';
import { clientErrorPage, type ClientFault, errorPage, Pages } from '../../../edge/page/index.js';
import { setRateLimitHeaders } from '../../../edge/rate-limit/index.js';
import { sendError } from '../http/response.js';
import { OAuthError, type OAuthErrorCode } from '../oauth-error.js';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { TooManyAuthorizationRequests } from './authorization-flow.js';

interface AuthorizeFailure {
  readonly kind: 'client' | 'slow' | 'fault' | 'away' | 'busy';
  readonly status: number;
  readonly code: OAuthErrorCode;
  readonly retryAfterSeconds: number | null;
}

function failureOf(error: unknown): AuthorizeFailure {
  if (error instanceof DirectAuthorizeError) return { kind: 'client', status: 400, code: 'invalid_request', retryAfterSeconds: null };
  if (error instanceof TooManyAuthorizationRequests)
    return { kind: 'slow', status: 429, code: 'temporarily_unavailable', retryAfterSeconds: error.result.resetSeconds };
  if (isUnavailable(error)) {
    const kind = error instanceof PoolExhaustedError ? 'busy' : 'away';
    return { kind, status: 503, code: 'temporarily_unavailable', retryAfterSeconds: RETRY_AFTER.outage };
  }
  return { kind: 'fault', status: 500, code: 'server_error', retryAfterSeconds: null };
}

const CAUSES: Readonly<Record<ClientFault, string>> = {
  address: 'redirect_uri is not registered for this client',
  request: 'request_uri is unknown, used or expired',
  pending: 'this client is not active on this server yet',
  suspended: 'this client is suspended on this server',
  unasked: 'this client is not approved on this server: a person has to sign in and try again',
  test: 'this client is in test mode',
};

/** Shows the person, on a page of Sluice, an error that cannot go to the app; never with a `Location`. */
@Injectable()
@Catch()
export class AuthorizeErrorFilter implements ExceptionFilter {
  private readonly log = new Log('OAuth');
  private readonly refusals = new RefusalLog();

  constructor(private readonly pages: Pages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.refuse(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { kind, status, code, retryAfterSeconds } = failureOf(error);
    if (error instanceof TooManyAuthorizationRequests) setRateLimitHeaders(reply, error.result);
    if (retryAfterSeconds !== null) reply.header('retry-after', String(retryAfterSeconds));
    const { reason, details } = error instanceof DirectAuthorizeError ? error : new DirectAuthorizeError(kind);
    const reference = kind === 'fault' || kind === 'busy' ? this.noteFault(error, kind) : this.noteRefusal(reason, details.document);
    const [cause, logout] = [details.fault, details.isLogout ? reason : undefined];
    if (/\bapplication\/json\b/.test(request.headers.accept ?? '')) {
      const said = cause === undefined ? logout : CAUSES[cause];
      const because = said === undefined ? '' : `: ${said}`;
      return sendError(reply, new OAuthError(code, `The request was refused${because}, reference ${reference}`, status));
    }
    const frame = this.pages.frame();
    const page =
      kind === 'client' ? clientErrorPage({ frame, reference, cause, logout }) : errorPage({ frame, kind, reference, retryAfterSeconds });
    this.pages.send(reply, { kind: 'error' }, page, status);
  }

  private noteRefusal(reason: string, document?: string): string {
    const text = document === undefined ? reason : `${reason}, ${document}`;
    return this.refusals.note(reason, (line, others) =>
      this.log.warn(
        'oauth_request_refused',
        { ...line, reason, ...(document !== undefined && { document }) },
        `Request ${line.reference} refused: ${text}${others}`,
      ),
    );
  }

  private noteFault(error: unknown, kind: 'fault' | 'busy'): string {
    const reference = newReference();
    if (kind === 'fault') this.log.error('oauth_request_failed', { reference }, `Request ${reference} refused: ${kind}`, error);
    return reference;
  }
}
