import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorPage, Pages, statusOf } from '../page/index.js';

const isLookedAt = ({ is404, method, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

/** Addresses that lead nowhere: browsers are shown a page, programs get the plain answer. */
@Injectable()
export class Nowhere implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly pages: Pages,
  ) {}

  onModuleInit(): void {
    // The operator's commands run the application without a front door.
    const fastify = this.host.httpAdapter?.getInstance<FastifyInstance>();
    fastify?.addHook('onRequest', (request, reply, done) => {
      if (!isLookedAt(request)) return done();
      const page = errorPage({ frame: this.pages.frame(), reference: null, kind: 'missing', retryAfterSeconds: null });
      this.pages.send(reply, { kind: 'error' }, page, statusOf('missing'));
    });
  }
}
