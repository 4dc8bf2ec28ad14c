import { Global, Module } from '@nestjs/common';
import { Hooks } from '../http/index.js';
import { ClockWatch } from './clock.watch.js';
import { HealthController, MetricsController } from './health.controller.js';
import { ProcessWatch } from './process.watch.js';
import { Readiness } from './readiness.js';

@Global()
@Module({ controllers: [HealthController, MetricsController], providers: [ClockWatch, ProcessWatch, Readiness], exports: [Readiness] })
export class HealthModule {
  constructor(hooks: Hooks, watch: ProcessWatch) {
    hooks.add('metrics', (fastify) => watch.attach(fastify));
  }
}
