import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator, type Visitor } from '../auth/index.js';
import { errorPage, statusOf, type ErrorKind, type ErrorModel } from './error-page.js';
import type { Frame } from './frame.js';
import type { Html } from './html.js';
import { LIVE_EVENTS_PATH, Pages } from './pages.js';
import { Hooks, isLookedAt, type Work } from '../http/index.js';

export type ErrorDetails = Pick<ErrorModel, 'reference' | 'retryAfterSeconds'>;

/** Errors after which the session may be looked up; in the others the database is unavailable, or the address is rate limited. */
const WITH_NAVIGATION: ReadonlySet<ErrorKind> = new Set(['request', 'form', 'missing', 'method', 'size']);

/** Sends error pages: with the navigation to a signed-in person on the dashboard, without it to everyone else. */
@Injectable()
export class ErrorPageRenderer {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly pages: Pages,
    hooks: Hooks,
  ) {
    hooks.add('notFound', (fastify) => {
      fastify.addHook('onRequest', (request, reply, done) => {
        if (!isLookedAt(request)) return done();
        const kind = reply.hasHeader('allow') ? 'method' : 'missing';
        void this.send(request, reply, kind, { reference: null, retryAfterSeconds: null });
      });
    });
  }

  async send(request: FastifyRequest, reply: FastifyReply, kind: ErrorKind, details: ErrorDetails): Promise<void> {
    const draw = (frame: Frame): Html => errorPage({ ...details, frame, kind });
    const visitor = await this.visitor(request, reply, kind);
    if (visitor) return void reply.send(await this.pages.draw(reply, visitor, draw, { status: statusOf(kind) }));
    this.pages.send(reply, { kind: 'error' }, draw(this.pages.frame()), statusOf(kind));
  }

  private async visitor(request: FastifyRequest, reply: FastifyReply, kind: ErrorKind): Promise<Visitor | null> {
    if (!WITH_NAVIGATION.has(kind) || !isDashboard(request.url)) return null;
    if (request.visitor) return request.visitor;
    if (!(await isAdmitted(request.work))) return null;
    // The page reports a failure: it must not fail because the session cannot be looked up.
    return this.authenticator.findVisitor(request, reply).catch(() => null);
  }
}

/** An address without a route, and a body that is refused, come here before the slot and the turn that every page takes. */
async function isAdmitted(work: Work): Promise<boolean> {
  if (!work.enter()) return false;
  return Promise.resolve(work.takeTurn()).then(
    () => true,
    () => false,
  );
}

const isDashboard = (url: string): boolean => /^\/dashboard(?:[/?]|$)/.test(url) && !url.startsWith(LIVE_EVENTS_PATH);
