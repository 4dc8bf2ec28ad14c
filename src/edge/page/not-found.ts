import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Hooks } from '../http/index.js';
import { ErrorPageRenderer } from './error-page-renderer.js';

const isLookedAt = ({ is404, method, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

@Injectable()
export class NotFoundHandler {
  constructor(hooks: Hooks, errors: ErrorPageRenderer) {
    hooks.add('notFound', (fastify) => {
      fastify.addHook('onRequest', (request, reply, done) => {
        if (!isLookedAt(request)) return done();
        void errors.send(request, reply, 'missing', { reference: null, retryAfterSeconds: null });
      });
    });
  }
}
