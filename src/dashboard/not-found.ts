import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ErrorPageRenderer } from '../page/index.js';

const isLookedAt = ({ is404, method, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

/** Unknown addresses: browsers get a page, programs the plain response. */
@Injectable()
export class NotFoundHandler implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly errors: ErrorPageRenderer,
  ) {}

  onModuleInit(): void {
    // The operator's commands run the application without an HTTP server.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance>();
    fastify?.addHook('onRequest', (request, reply, done) => {
      if (!isLookedAt(request)) return done();
      void this.errors.send(request, reply, 'missing', { reference: null, retryAfterSeconds: null });
    });
  }
}
