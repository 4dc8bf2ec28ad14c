import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DirectAuthorizeError } from '../request/authorization-request.js';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { FORM_LIMIT_BYTES, Hooks } from '../../../edge/http/index.js';
import { invalidRequest } from '../oauth-error.js';
import { ROUTES } from '../routes.js';
import { sendError } from '../http/response.js';
import { isForm } from '../http/parameters.js';

/** They answer with a page, the others with JSON. */
const PAGES: ReadonlySet<string | undefined> = new Set([ROUTES.authorize, ROUTES.logout]);
const FORMS: ReadonlySet<string | undefined> = new Set([...PAGES, ROUTES.token, ROUTES.pushedRequest, ROUTES.revoke, ROUTES.introspect]);

/** Endpoints that read forms refuse other and too large bodies before a parser reads them: its error is not the protocol's. */
@Injectable()
export class FormEndpoints {
  constructor(hooks: Hooks, errors: AuthorizeErrorFilter) {
    const check = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      const { url } = request.routeOptions;
      const why = request.method === 'POST' && FORMS.has(url) ? faultOf(request) : undefined;
      if (why === undefined) return done();
      reply.header('connection', 'close');
      if (!PAGES.has(url)) return sendError(reply, invalidRequest(why));
      errors.refuse(new DirectAuthorizeError(why, { isLogout: url === ROUTES.logout }), request, reply);
    };
    hooks.add('formEndpoints', (fastify) => void fastify.addHook('onRequest', check));
  }
}

function faultOf({ headers }: FastifyRequest): string | undefined {
  if (!isForm(headers['content-type'])) return 'Send application/x-www-form-urlencoded';
  return Number(headers['content-length'] ?? 0) > FORM_LIMIT_BYTES ? `The body must have at most ${FORM_LIMIT_BYTES} bytes` : undefined;
}
