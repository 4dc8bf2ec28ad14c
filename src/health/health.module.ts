import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProcessWatch } from './process.watch.js';
import { Readiness } from './readiness.js';

@Global()
@Module({ controllers: [HealthController, MetricsController], providers: [ProcessWatch, Readiness], exports: [Readiness] })
export class HealthModule {}
