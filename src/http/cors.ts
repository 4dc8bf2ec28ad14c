import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DAY_SECONDS } from '../kernel/clock.js';
import { pathsOverlap } from './handler-address.js';
import { pathOf } from './path.js';
import { setRoute } from './route-settings.js';

/** Which pages of other origins may read the responses of a route. Without it: none, so pages and the authorization endpoint are closed. */
export interface CorsSettings {
  readonly origin: '*' | true;
  readonly methods: readonly string[];
  readonly maxAge: number;
  readonly credentials?: boolean;
  readonly exposedHeaders?: readonly string[];
}

const METHODS = ['GET', 'POST'];

/** Scripts of every origin may read the responses of this handler, which uses no cookie. */
export const AnyOrigin =
  (): MethodDecorator =>
  (_target, _name, { value }: PropertyDescriptor): void =>
    setRoute(value as object, { cors: { origin: '*', methods: METHODS, maxAge: DAY_SECONDS } });

/** Apollo registers this route, so no decorator can open it. Browsers send no credential to it by themselves. */
const GRAPHQL: CorsSettings = {
  origin: true,
  credentials: true,
  methods: METHODS,
  exposedHeaders: ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  maxAge: DAY_SECONDS,
};

/** CORS as each route says. Must be registered before the routes: a preflight is answered for the route that it asks about. */
export async function registerCors(fastify: FastifyInstance): Promise<void> {
  const open = new Map<string, CorsSettings>();
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/graphql') route.config = { ...route.config, cors: GRAPHQL };
    if (route.config?.cors) open.set(route.url, route.config.cors);
  });
  const settingsOf = (request: FastifyRequest): CorsSettings | undefined => {
    if (request.method !== 'OPTIONS') return request.routeOptions.config.cors;
    const path = pathOf(request);
    return [...open].find(([url]) => pathsOverlap(url, path))?.[1];
  };
  await fastify.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options: object) => void) =>
      done(null, settingsOf(request) ?? { origin: false }),
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cors?: CorsSettings;
  }
}
