import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Config } from '../config/index.js';
import { Database } from '../database/index.js';
import { Clock } from '../kernel/clock.js';
import { Metrics } from '../metrics/index.js';
import { FallbackRateLimitStore, MAX_WAIT_MS } from './fallback.store.js';
import { MemoryRateLimitStore } from './memory.store.js';
import type { RateLimitPolicy } from './policies.js';
import { PostgresRateLimitStore } from './postgres.store.js';
import { RateLimitCheck } from './rate-limit-check.js';
import { RateLimitPolicies } from './rate-limit-policies.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitStore } from './rate-limit-store.js';
import { WindowPurge } from './window-purge.js';

const SHARED_STORE = {
  provide: RateLimitStore,
  inject: [Config, MemoryRateLimitStore, Database, Clock, Metrics],
  useFactory: (config: Config, memory: MemoryRateLimitStore, database: Database, clock: Clock, metrics: Metrics): RateLimitStore => {
    // Its metrics are served in either case.
    const shared = new FallbackRateLimitStore(new PostgresRateLimitStore(database, MAX_WAIT_MS), memory, clock, metrics);
    return config.rateLimit.store === 'postgres' ? shared : memory;
  },
};

/** The rate limiter of the application, its policies and the guard of `@RateLimit()`. */
@Global()
@Module({})
export class RateLimitModule {
  static forRoot(ofExtensions: readonly RateLimitPolicy[] = []): DynamicModule {
    const policies = {
      provide: RateLimitPolicies,
      inject: [Config],
      useFactory: (config: Config) => new RateLimitPolicies(config, ofExtensions),
    };
    return {
      module: RateLimitModule,
      imports: [DiscoveryModule],
      providers: [policies, MemoryRateLimitStore, SHARED_STORE, RateLimiter, RateLimitGuard, RateLimitCheck, WindowPurge],
      exports: [RateLimitPolicies, RateLimiter],
    };
  }
}
