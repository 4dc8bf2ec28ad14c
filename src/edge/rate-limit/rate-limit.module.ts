import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Database } from '../../platform/database/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { MemoryRateLimitStore } from './memory.store.js';
import { type RateLimitPolicy, RateLimitPolicies } from './policies.js';
import { PostgresRateLimitStore, WindowPurge } from './postgres.store.js';
import { RateLimitCheck, RateLimitGuard } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitStore } from './rate-limit-store.js';
import { RateLimitSettings } from './rate-limit.settings.js';

const SHARED_STORE = {
  provide: RateLimitStore,
  inject: [RateLimitSettings, MemoryRateLimitStore, Database, Metrics],
  useFactory: (settings: RateLimitSettings, memory: MemoryRateLimitStore, database: Database, metrics: Metrics): RateLimitStore => {
    const shared = new PostgresRateLimitStore(database, memory, metrics);
    return settings.RATE_LIMIT_STORE === 'postgres' ? shared : memory;
  },
};

@Global()
@Module({})
export class RateLimitModule {
  static forRoot(ofExtensions: readonly RateLimitPolicy[] = []): DynamicModule {
    const policies = {
      provide: RateLimitPolicies,
      inject: [RateLimitSettings],
      useFactory: (settings: RateLimitSettings) => new RateLimitPolicies(settings, ofExtensions),
    };
    return {
      module: RateLimitModule,
      imports: [DiscoveryModule],
      providers: [policies, MemoryRateLimitStore, SHARED_STORE, RateLimiter, RateLimitGuard, RateLimitCheck, WindowPurge],
      exports: [RateLimitPolicies, RateLimiter],
    };
  }
}
