import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { Config, type Rate } from '../config/index.js';
import { Hooks } from '../http/index.js';
import { AccessAudit } from './access-audit.js';
import { AccessGuard } from './access.guard.js';
import { Authenticator } from './authenticator.js';
import { CostPlugin } from './cost.plugin.js';
import { CredentialCache } from './credential-cache.js';
import { CredentialUsage } from './credential-usage.js';
import { FixedWindows } from './fixed-windows.js';
import { RequestHook } from './request-hook.js';
import { ScopeCatalogue } from './scope-catalogue.js';
import { RevocationPoller } from './revocation-poller.js';
import { Throttle } from './throttle.js';
import { BucketGuard } from './throttle.guard.js';

@Module({ providers: [FixedWindows], exports: [FixedWindows] })
class WindowsModule {}

/** Authentication, access rules and rate limits. */
@Global()
@Module({})
export class AuthModule {
  constructor(hooks: Hooks, requestHook: RequestHook) {
    hooks.add('admission', (fastify) => requestHook.attach(fastify));
  }

  static forRoot(catalogue: ScopeCatalogue): DynamicModule {
    const throttler = ThrottlerModule.forRootAsync({
      imports: [WindowsModule],
      inject: [FixedWindows, Config],
      useFactory: (storage: FixedWindows, { throttle }: Config) => ({
        storage,
        throttlers: Object.entries<Rate>({ ...throttle }).map(([name, { limit, windowMs }]) => ({ name, limit, ttl: windowMs })),
      }),
    });
    return {
      module: AuthModule,
      imports: [DiscoveryModule, WindowsModule, throttler],
      providers: [
        { provide: ScopeCatalogue, useValue: catalogue },
        { provide: APP_GUARD, useClass: AccessGuard },
        AccessAudit,
        Authenticator,
        BucketGuard,
        CostPlugin,
        CredentialCache,
        CredentialUsage,
        RequestHook,
        RevocationPoller,
        Throttle,
      ],
      exports: [Authenticator, BucketGuard, CredentialCache, CredentialUsage, ScopeCatalogue, RevocationPoller, Throttle, throttler],
    };
  }
}
