import {
  Catch,
  HttpException,
  type ArgumentsHost,
  type ExceptionFilter,
  applyDecorators,
  Controller,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageSessionError, PageClass, SecondFactorError } from '../auth/index.js';
import { isUnavailable, PoolExhaustedError } from '../../platform/database/index.js';
import { RETRY_AFTER, TurnRefusedError } from '../http/index.js';
import { newReference } from '../../platform/kernel/reference.js';
import { Log, RefusalLog } from '../../platform/logging/index.js';
import { ErrorPageRenderer } from './error-page-renderer.js';
import { clientErrorPage, endedRequestPage, errorKindOf, statusOf, type ErrorKind, type RequestEnding, PageError } from './error-page.js';
import { seeOther, Pages } from './pages.js';
import { CsrfGuard } from './csrf.js';

export abstract class SignInRedirect {
  abstract redirectOf(request: FastifyRequest): string;
}

/** Of an authorization request that cannot be answered. */
const REQUEST_STATUS = 400;

/** Kinds without log line and reference: the page says all there is to say. */
const PLAIN: ReadonlySet<ErrorKind | RequestEnding> = new Set(['missing', 'busy', 'allowed', 'denied']);

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Turns every error of a page into a page for the person; the log has the details for the operator. */
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly log = new Log('Pages');
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly pages: Pages,
    private readonly errors: ErrorPageRenderer,
    private readonly signIn: SignInRedirect,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const exchange = { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
    if (error instanceof PageError) return this.refuse(error, exchange);
    if (error instanceof PageSessionError) {
      const { request, reply } = exchange;
      return request.visitor ? this.show(exchange, 'form', null) : seeOther(reply, this.signIn.redirectOf(request));
    }
    if (error instanceof SecondFactorError) return this.show(exchange, 'factor', null);
    if (error instanceof TurnRefusedError) return this.show(exchange, 'busy', RETRY_AFTER.busy);
    if (isUnavailable(error)) return this.show(exchange, error instanceof PoolExhaustedError ? 'busy' : 'away', RETRY_AFTER.outagePage);
    const status = error instanceof HttpException ? error.getStatus() : ((error as { statusCode?: number } | null)?.statusCode ?? 500);
    const retryAfter = exchange.reply.getHeader('retry-after');
    const seconds = typeof retryAfter === 'number' ? retryAfter : null;
    this.show(exchange, errorKindOf(status), seconds, status >= 500 ? error : undefined);
  }

  private refuse({ reason }: PageError, exchange: Exchange): void {
    const frame = this.pages.frame();
    switch (reason.kind) {
      case 'redirect':
        return seeOther(exchange.reply, reason.to);
      case 'error':
        return this.show(exchange, reason.error, reason.retryAfterSeconds ?? null);
      case 'ended': {
        const reference = PLAIN.has(reason.ending) ? null : this.note(exchange, reason.ending, REQUEST_STATUS);
        return this.pages.send(exchange.reply, { kind: 'error' }, endedRequestPage({ ...reason, frame, reference }), REQUEST_STATUS);
      }
      case 'client': {
        const reference = this.note(exchange, 'client', REQUEST_STATUS);
        return this.pages.send(exchange.reply, { kind: 'error' }, clientErrorPage({ ...reason, frame, reference }), REQUEST_STATUS);
      }
    }
  }

  private show(exchange: Exchange, kind: ErrorKind, retryAfterSeconds: number | null, fault?: unknown): void {
    const status = statusOf(kind);
    const reference = PLAIN.has(kind) ? null : this.note(exchange, kind, status, fault);
    if (retryAfterSeconds !== null) exchange.reply.header('retry-after', retryAfterSeconds);
    void this.errors.send(exchange.request, exchange.reply, kind, { reference, retryAfterSeconds });
  }

  /**
   * Logs the route, not the address, because people paste secrets into addresses.
   * @returns the reference of that line
   */
  private note({ request }: Exchange, kind: ErrorKind | RequestEnding | 'client', status: number, fault?: unknown): string {
    const route = request.routeOptions.url ?? '';
    const what = `${kind}, ${status}, ${request.method} ${route}`;
    const about = { kind, status, method: request.method, route };
    if (fault === undefined)
      return this.refusals.note(what, (line, others) => {
        const [fields, text] = [{ ...line, ...about }, `Reference ${line.reference}: ${what}${others}`];
        if (kind === 'away') this.log.warn('page_unavailable', fields, text);
        else if (kind === 'client') this.log.warn('page_client_rejected', fields, text);
        else this.log.info('page_refused', fields, text);
      });
    const reference = newReference();
    this.log.error('page_failed', { reference, ...about }, `Reference ${reference}: ${what}`, fault);
    return reference;
  }
}

/** A controller of pages: its errors are pages too, and every form that it takes is guarded against CSRF. */
export const PageController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), PageClass(true), UseFilters(PageFilter), UseGuards(CsrfGuard));
