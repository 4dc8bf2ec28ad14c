import { Global, Module } from '@nestjs/common';
import { Hooks } from '../http/index.js';
import { ClockWatch } from './clock.watch.js';
import { HealthHook } from './health-hook.js';
import { MetricsController } from './metrics.controller.js';
import { ProcessWatch } from './process.watch.js';
import { Readiness } from './readiness.js';

@Global()
@Module({ controllers: [MetricsController], providers: [ClockWatch, HealthHook, ProcessWatch, Readiness], exports: [Readiness] })
export class HealthModule {
  constructor(hooks: Hooks, watch: ProcessWatch, health: HealthHook) {
    hooks.add('health', (fastify) => health.attach(fastify));
    hooks.add('metrics', (fastify) => watch.attach(fastify));
  }
}
