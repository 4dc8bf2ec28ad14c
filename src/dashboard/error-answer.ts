import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage, Pages, statusOf, type ErrorKind, type Frame, type Html } from '../page/index.js';
import { PageAuthenticator, type Visitor } from './page-authenticator.js';
import { PageRenderer } from './page-renderer.js';
import { paths } from './view/index.js';

/** Details of an error page besides its kind. */
export interface ErrorDetails {
  readonly reference: string | null;
  readonly retryAfterSeconds: number | null;
}

/** Errors after which the session may be looked up; in the others the database is unavailable, or the address is rate limited. */
const WITH_NAVIGATION: ReadonlySet<ErrorKind> = new Set(['request', 'form', 'missing', 'method', 'size']);

/** Sends error pages: with the navigation to a signed-in person on the dashboard, without it to everyone else. */
@Injectable()
export class ErrorAnswer {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly renderer: PageRenderer,
    private readonly pages: Pages,
  ) {}

  async send(request: FastifyRequest, reply: FastifyReply, kind: ErrorKind, details: ErrorDetails): Promise<void> {
    const draw = (frame: Frame): Html => errorPage({ ...details, frame, kind });
    const visitor = await this.visitor(request, kind);
    if (visitor) return this.renderer.send(reply, visitor, draw, { status: statusOf(kind) });
    this.pages.send(reply, { kind: 'error' }, draw(this.pages.frame()), statusOf(kind));
  }

  private async visitor(request: FastifyRequest, kind: ErrorKind): Promise<Visitor | null> {
    if (!WITH_NAVIGATION.has(kind) || !isDashboard(request.url)) return null;
    // The page reports a failure: it must not fail because the session cannot be looked up.
    return this.authenticator.visitor(request).catch(() => null);
  }
}

const isDashboard = (url: string): boolean => /^\/dashboard(?:[/?]|$)/.test(url) && !url.startsWith(paths.events);
