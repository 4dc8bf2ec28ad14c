import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { setRoute } from './handlers.js';

/** A route without these settings is closed to scripts of other origins. */
export interface CorsSettings {
  readonly origin: '*' | true;
  readonly methods: readonly string[];
  readonly maxAge: number;
  readonly exposedHeaders?: readonly string[];
}

const METHODS = ['GET', 'POST'];

/** Only for a handler that uses no cookie. */
export const AnyOrigin =
  (): MethodDecorator =>
  (_target, _name, { value }: PropertyDescriptor): void =>
    setRoute(value as object, { cors: { origin: '*', methods: METHODS, maxAge: DAY_SECONDS } });

/** Apollo registers this route, so no decorator can open it. It reads no cookie, so that scripts need not be let send one. */
const GRAPHQL: CorsSettings = {
  origin: true,
  methods: METHODS,
  exposedHeaders: ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate'],
  maxAge: DAY_SECONDS,
};

export async function registerCors(fastify: FastifyInstance): Promise<void> {
  const opened = new Set<string>();
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/graphql') route.config = { ...route.config, cors: GRAPHQL };
    const { url, config, method } = route;
    if (!config?.cors || opened.has(url)) return;
    opened.add(url);
    // The plugin answers a preflight before this handler.
    if (![method].flat().includes('OPTIONS'))
      fastify.options(url, { config: { cors: config.cors } }, (_request, reply) => reply.callNotFound());
  });
  await fastify.register(cors, { origin: false });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cors?: CorsSettings;
  }
}
