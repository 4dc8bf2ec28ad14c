import { Module } from '@nestjs/common';
import { IdempotencyPlugin } from './idempotency.plugin.js';
import { IdempotencyService } from './idempotency.service.js';

@Module({ providers: [IdempotencyPlugin, IdempotencyService] })
export class IdempotencyModule {}
