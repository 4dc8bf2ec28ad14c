import type { Type } from '@nestjs/common';
import { MetadataScanner, type DiscoveryService } from '@nestjs/core';
import 'reflect-metadata';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

export type Handler = (...args: never[]) => unknown;

const scanner = new MetadataScanner();

/** Nest serves inherited methods too at the paths of the class. */
export function handlersOf(owner: Handler): Handler[] {
  const prototype = owner.prototype as Readonly<Record<string, Handler>>;
  return scanner.getAllMethodNames(prototype).flatMap((name) => prototype[name] ?? []);
}

export interface OwnedHandler {
  readonly owner: Type;
  readonly name: string;
  readonly handler: Handler;
}

export const handlersOfAll = (discovery: DiscoveryService): OwnedHandler[] =>
  [...discovery.getProviders(), ...discovery.getControllers()].flatMap(({ instance }: { readonly instance: unknown }) => {
    const prototype = instance && typeof instance === 'object' ? (Object.getPrototypeOf(instance) as object | null) : null;
    if (!instance || !prototype) return [];
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = (prototype as Readonly<Record<string, Handler>>)[name];
      return handler ? { owner: instance.constructor as Type, name, handler } : [];
    });
  });

export function addressesOf(part: unknown): string[] {
  const bases = typeof part === 'function' ? pathsAt(part) : [];
  if (bases.length === 0) return [];
  return handlersOf(part as Handler).flatMap((handler) =>
    pathsAt(handler).flatMap((path) => bases.map((base) => `/${[...segmentsOf(base), ...segmentsOf(path)].join('/')}`)),
  );
}

const pathsAt = (target: object): string[] => [(Reflect.getMetadata('path', target) ?? []) as string | string[]].flat();
const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** A parameter matches any segment, a star all that follow. */
export function pathsOverlap(one: string, other: string): boolean {
  const [mine, theirs] = [segmentsOf(one), segmentsOf(other)];
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
    const pair = [mine[i], theirs[i]];
    if (pair.some((segment) => segment?.includes('*'))) return true;
    if (pair.includes(undefined)) return false;
    if (mine[i] !== theirs[i] && !pair.some((segment) => segment?.includes(':'))) return false;
  }
  return true;
}

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
