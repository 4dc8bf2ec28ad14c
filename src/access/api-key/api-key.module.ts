import { Module } from '@nestjs/common';
import { Jobs } from '../../platform/job/index.js';
import { IdentityModule, IdentityRemoval } from '../identity/index.js';
import { UserModule } from '../user/index.js';
import { KeyRules } from './key-rules.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyResolver, UserApiKeysResolver } from './api-key.resolver.js';
import { ApiKeyService } from './api-key.service.js';
import { ApiKeyStrategy } from './api-key.strategy.js';

const ANNOUNCED_AT = '23 6 * * *';

@Module({
  imports: [IdentityModule, UserModule],
  providers: [ApiKeyResolver, ApiKeyService, ApiKeyStrategy, ApiKeyUsage, KeyRules, UserApiKeysResolver],
  exports: [ApiKeyService],
})
export class ApiKeyModule {
  constructor(jobs: Jobs, keys: ApiKeyService, removal: IdentityRemoval) {
    removal.joinEnd((tx, userId) => keys.revokeChosen({ userId }, tx));
    jobs.schedule('api_key_cleanup', { everySeconds: 86_400, atStart: true }, ({ signal }) => keys.purge(signal));
    // Not at a start: a second time on a day would count again what is beyond the notices of the day.
    jobs.schedule('api_key_notices', { cron: ANNOUNCED_AT, backfillHours: 24 }, () => keys.announce());
  }
}
