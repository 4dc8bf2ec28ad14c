import { Module } from '@nestjs/common';
import { UserModule } from '../user/index.js';
import { ApiKeyCleanupJob } from './api-key-cleanup.job.js';
import { ApiKeyLimits } from './api-key-limits.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyLimitResolver } from './api-key-limit.resolver.js';
import { ApiKeyResolver, UserApiKeysResolver } from './api-key.resolver.js';
import { ApiKeyService } from './api-key.service.js';
import { ApiKeyStrategy } from './api-key.strategy.js';

@Module({
  imports: [UserModule],
  providers: [
    ApiKeyCleanupJob,
    ApiKeyLimitResolver,
    ApiKeyLimits,
    ApiKeyResolver,
    ApiKeyService,
    ApiKeyStrategy,
    ApiKeyUsage,
    UserApiKeysResolver,
  ],
  exports: [ApiKeyLimits, ApiKeyService],
})
export class ApiKeyModule {}
