import { Global, Module } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { ArrivingBodies } from './arriving-bodies.js';
import { compressAnswers } from './compression.js';
import { registerCookies } from './cookie.js';
import { registerCors } from './cors.js';
import { Hooks } from './hooks.js';
import { guardHost } from './own-host.js';
import { WorkInProgress } from './work-in-progress.js';

@Global()
@Module({ providers: [ArrivingBodies, Hooks, WorkInProgress], exports: [ArrivingBodies, Hooks, WorkInProgress] })
export class HttpModule {
  constructor(hooks: Hooks, config: Config) {
    hooks.add('host', (fastify) => guardHost(fastify, config));
    hooks.add('cors', registerCors);
    hooks.add('cookies', registerCookies);
    hooks.add('compression', compressAnswers);
  }
}
