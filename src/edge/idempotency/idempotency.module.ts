import { Global, Module } from '@nestjs/common';
import { Attempts } from './attempts.js';
import { IdempotencyPlugin } from './idempotency.plugin.js';
import { IdempotencyService } from './idempotency.service.js';

/** Global, for mutations whose effect needs `Attempts`. */
@Global()
@Module({ providers: [Attempts, IdempotencyPlugin, IdempotencyService], exports: [Attempts, IdempotencyService] })
export class IdempotencyModule {}
