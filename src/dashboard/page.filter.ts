import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isUnavailable } from '../database/index.js';
import { clientErrorPage, errorKindOf, errorPage, endedRequestPage, newReference, Pages, statusOf, type ErrorKind } from '../page/index.js';
import { PageRefusal } from './page-refusal.js';
import { seeOther } from './shell.js';

const AWAY_SECONDS = 5;

/** Whatever goes wrong on a page ends in a page, in the person's words. */
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly log = new Logger('Pages');

  constructor(private readonly pages: Pages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof PageRefusal) return this.refuse(error, reply);
    if (isUnavailable(error)) return this.show(reply, 'away', AWAY_SECONDS);
    const status = error instanceof HttpException ? error.getStatus() : ((error as { statusCode?: number } | null)?.statusCode ?? 500);
    this.show(reply, errorKindOf(status), null, status >= 500 ? error : undefined);
  }

  private refuse({ reason }: PageRefusal, reply: FastifyReply): void {
    const frame = this.pages.frame();
    const reference = newReference();
    switch (reason.kind) {
      case 'redirect':
        return seeOther(reply, reason.to);
      case 'error':
        return this.show(reply, reason.error, reason.retryAfterSeconds ?? null);
      case 'ended': {
        const client = reason.client && { name: reason.client.name, homeUrl: reason.client.homepage };
        return this.pages.send(reply, { kind: 'error' }, endedRequestPage({ frame, reference, ending: reason.ending, client }), 400);
      }
      case 'client':
        return this.pages.send(reply, { kind: 'error' }, clientErrorPage({ frame, reference }), 400);
    }
  }

  private show(reply: FastifyReply, kind: ErrorKind, retryAfterSeconds: number | null, fault?: unknown): void {
    const reference = newReference();
    if (fault !== undefined) this.log.error(fault, `reference ${reference}`);
    if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
    this.pages.send(reply, { kind: 'error' }, errorPage({ frame: this.pages.frame(), reference, kind, retryAfterSeconds }), statusOf(kind));
  }
}
