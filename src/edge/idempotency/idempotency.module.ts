import { Module } from '@nestjs/common';
import { IdempotencyPlugin } from './idempotency.plugin.js';
import { IdempotencyService } from './idempotency.service.js';

/** Stored responses for repeated mutations. */
@Module({ providers: [IdempotencyPlugin, IdempotencyService] })
export class IdempotencyModule {}
