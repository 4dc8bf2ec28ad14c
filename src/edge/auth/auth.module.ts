import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Hooks } from '../http/index.js';
import { AccessCheck } from './access-check.js';
import { AccessGuard } from './access.guard.js';
import { Authenticator } from './authenticator.js';
import { CallLimits, CostPlugin } from './call-limits.js';
import { CallPlugin } from './call.plugin.js';
import { CredentialCache } from './credential-cache.js';
import { CredentialUsage } from './credential-usage.js';
import { PolicyCheck } from './policy-check.js';
import { RequestHook } from './request-hook.js';
import { ScopeCatalogue } from './scope-catalogue.js';
import { RevocationPoller } from './revocation-poller.js';

@Global()
@Module({})
export class AuthModule {
  constructor(hooks: Hooks, requestHook: RequestHook) {
    hooks.add('admission', (fastify) => requestHook.attach(fastify));
  }

  static forRoot(catalogue: ScopeCatalogue): DynamicModule {
    return {
      module: AuthModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: ScopeCatalogue, useValue: catalogue },
        { provide: APP_GUARD, useClass: AccessGuard },
        AccessCheck,
        Authenticator,
        CallLimits,
        CallPlugin,
        CostPlugin,
        CredentialCache,
        CredentialUsage,
        PolicyCheck,
        RequestHook,
        RevocationPoller,
      ],
      exports: [Authenticator, CallLimits, CredentialCache, CredentialUsage, PolicyCheck, ScopeCatalogue, RevocationPoller],
    };
  }
}
