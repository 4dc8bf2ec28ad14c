import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { handlersOf, type Handler } from '../../src/edge/http/index.js';
import type { TestApp } from './app.js';

const pathsAt = (target: object): string[] => [Reflect.getMetadata('path', target) as string | string[]].flat();

/** "POST /dashboard/keys": the handlers of all controllers. */
export const routesOf = (app: TestApp): string[] =>
  app.sluice.app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => {
      const owner = metatype as Handler;
      return handlersOf(owner).flatMap((handler) => {
        if (!Reflect.hasMetadata('method', handler)) return [];
        const method = RequestMethod[Reflect.getMetadata('method', handler) as number];
        return pathsAt(owner).flatMap((base) =>
          pathsAt(handler).map((path) => `${method} ${`/${base}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')}`),
        );
      });
    });
