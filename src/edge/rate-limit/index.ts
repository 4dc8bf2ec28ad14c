export { addressOf } from './caller-address.js';
export { checkRateLimits, policiesOfExtensions, rateVariables, type ExtensionRateLimit } from './extension-policies.js';
export { type PolicyName, type RateLimitPolicy, RateLimitPolicies } from './policies.js';
export { setRateLimitHeaders, writeRateLimitHeaders } from './rate-limit-headers.js';
export { RateLimit } from './rate-limit.guard.js';
export { RateLimitModule } from './rate-limit.module.js';
export type { RateLimitResult } from './rate-limit-store.js';
export { RateLimiter } from './rate-limiter.js';
export { RateLimitSettings } from './rate-limit.settings.js';
