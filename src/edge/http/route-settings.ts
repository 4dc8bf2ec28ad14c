import 'reflect-metadata';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/** Nest's `RouteConfig` would replace the settings of another decorator. */
export function setRoute(handler: object, settings: Partial<FastifyContextConfig>): void {
  const before = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...before, ...settings }, handler);
}

/** For a page that waits for the node or for a turn of another queue: it takes no turn for the database, which it would hold meanwhile. */
export const WaitsElsewhere =
  (): MethodDecorator =>
  (_target, _name, { value }: PropertyDescriptor): void =>
    setRoute(value as object, { waitsElsewhere: true });

declare module 'fastify' {
  interface FastifyContextConfig {
    waitsElsewhere?: boolean;
  }
}
