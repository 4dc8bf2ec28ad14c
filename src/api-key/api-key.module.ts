import { Module } from '@nestjs/common';
import { UserModule } from '../user/index.js';
import { ApiKeyCleanupJob } from './api-key-cleanup.job.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyResolver, UserApiKeysResolver } from './api-key.resolver.js';
import { ApiKeyService } from './api-key.service.js';
import { ApiKeyStrategy } from './api-key.strategy.js';

/** API keys: credentials for a person's own programs. */
@Module({
  imports: [UserModule],
  providers: [ApiKeyCleanupJob, ApiKeyResolver, ApiKeyService, ApiKeyStrategy, ApiKeyUsage, UserApiKeysResolver],
  exports: [ApiKeyService],
})
export class ApiKeyModule {}
