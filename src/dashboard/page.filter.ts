import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, PoolFull } from '../database/index.js';
import { Log } from '../logging/index.js';
import {
  clientErrorPage,
  endedRequestPage,
  errorKindOf,
  newReference,
  Pages,
  statusOf,
  type ErrorKind,
  type RequestEnding,
} from '../page/index.js';
import { ErrorAnswer } from './error-answer.js';
import { PageRefusal } from './page-refusal.js';
import { seeOther } from './page-renderer.js';

const AWAY_SECONDS = 5;
const CLIENT_STATUS = 400;
const ENDED_STATUS = 400;

/** Kinds without log line and reference: the page says all there is to say. */
const PLAIN: ReadonlySet<ErrorKind | RequestEnding> = new Set(['missing', 'busy', 'allowed', 'denied']);

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Turns every error of a page into a page for the person; the log has the details for the operator. */
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly log = new Log('Pages');

  constructor(
    private readonly pages: Pages,
    private readonly errors: ErrorAnswer,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const asked = { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
    if (error instanceof PageRefusal) return this.refuse(error, asked);
    if (isUnavailable(error)) return this.show(asked, error instanceof PoolFull ? 'busy' : 'away', AWAY_SECONDS);
    const status = error instanceof HttpException ? error.getStatus() : ((error as { statusCode?: number } | null)?.statusCode ?? 500);
    this.show(asked, errorKindOf(status), null, status >= 500 ? error : undefined);
  }

  private refuse({ reason }: PageRefusal, asked: Asked): void {
    const frame = this.pages.frame();
    switch (reason.kind) {
      case 'redirect':
        if (reason.cookie !== undefined) asked.reply.header('set-cookie', reason.cookie);
        return seeOther(asked.reply, reason.to);
      case 'error':
        return this.show(asked, reason.error, reason.retryAfterSeconds ?? null);
      case 'ended': {
        const { ending, client } = reason;
        const reference = PLAIN.has(ending) ? null : this.note(asked, ending, ENDED_STATUS);
        const asking = client && { name: client.name, homeUrl: client.homepage };
        const page = endedRequestPage({ frame, reference, ending, client: asking });
        return this.pages.send(asked.reply, { kind: 'error' }, page, ENDED_STATUS);
      }
      case 'client': {
        const reference = this.note(asked, 'client', CLIENT_STATUS);
        return this.pages.send(asked.reply, { kind: 'error' }, clientErrorPage({ frame, reference }), CLIENT_STATUS);
      }
    }
  }

  private show(asked: Asked, kind: ErrorKind, retryAfterSeconds: number | null, fault?: unknown): void {
    const status = statusOf(kind);
    const reference = PLAIN.has(kind) ? null : this.note(asked, kind, status, fault);
    if (retryAfterSeconds !== null) asked.reply.header('retry-after', retryAfterSeconds);
    void this.errors.send(asked.request, asked.reply, kind, { reference, retryAfterSeconds });
  }

  /**
   * Writes one line to the log, without anything that was sent: the route, not the address, because people paste secrets into addresses.
   * @returns the reference of that line
   */
  private note({ request }: Asked, kind: ErrorKind | RequestEnding | 'client', status: number, fault?: unknown): string {
    const reference = newReference();
    const route = request.routeOptions.url ?? '';
    const fields = { reference, kind, status, method: request.method, route };
    const line = `Reference ${reference}: ${kind}, ${status}, ${request.method} ${route}`;
    if (fault !== undefined) this.log.error('page_failed', fields, line, fault);
    else if (kind === 'away') this.log.warn('page_unavailable', fields, line);
    else if (kind === 'client') this.log.warn('page_client_rejected', fields, line);
    else this.log.info('page_refused', fields, line);
    return reference;
  }
}
