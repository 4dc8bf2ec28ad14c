import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { FORM_LIMIT_BYTES, Hooks } from '../../../edge/http/index.js';
import { invalidRequest } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { sendError } from '../http/response.js';
import { isForm } from '../http/parameters.js';

type Refuse = (request: FastifyRequest, reply: FastifyReply, why: string) => void;

/** Endpoints that read forms refuse other and too large bodies before a parser reads them: its error is not the protocol's. */
@Injectable()
export class FormEndpoints {
  private readonly refuse: ReadonlyMap<string | undefined, Refuse>;

  constructor(hooks: Hooks, errors: AuthorizeErrorFilter) {
    const asPage =
      (isLogout: boolean): Refuse =>
      (request, reply, why) =>
        errors.refuse(new DirectAuthorizeError(why, { isLogout }), request, reply);
    this.refuse = new Map([
      [ROUTES.authorize, asPage(false)],
      [ROUTES.logout, asPage(true)],
      [ROUTES.token, asJson],
      [ROUTES.pushedRequest, asJson],
      [ROUTES.revoke, asJson],
      [ROUTES.introspect, asJson],
    ]);
    hooks.add('formEndpoints', (fastify) => this.attach(fastify));
  }

  private attach(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const refuse = request.method === 'POST' ? this.refuse.get(request.routeOptions.url) : undefined;
      const why = refuse && faultOf(request);
      if (!refuse || !why) return done();
      reply.header('connection', 'close');
      refuse(request, reply, why);
    });
  }
}

const asJson: Refuse = (_request, reply, why) => sendError(reply, invalidRequest(why));

function faultOf({ headers }: FastifyRequest): string | undefined {
  if (!isForm(headers['content-type'])) return 'Send application/x-www-form-urlencoded';
  return Number(headers['content-length'] ?? 0) > FORM_LIMIT_BYTES ? `The body must have at most ${FORM_LIMIT_BYTES} bytes` : undefined;
}
