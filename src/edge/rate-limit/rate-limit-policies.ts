import { isVariable, meaningOf, rateOf } from '../../platform/config/index.js';
import { POLICIES, type PolicyName, type RateLimitPolicy } from './policies.js';
import { RateLimitSettings } from './rate-limit.settings.js';

export class RateLimitPolicies implements Iterable<RateLimitPolicy> {
  private readonly byName: ReadonlyMap<string, RateLimitPolicy>;

  constructor(settings: RateLimitSettings, ofExtensions: readonly RateLimitPolicy[] = []) {
    const ofCore = Object.entries(POLICIES).map(([name, { rate, ...rule }]): RateLimitPolicy => {
      const variable = isVariable(rate) ? rate : null;
      return Object.freeze({ name, ...rateOf(settings[rate]), ...rule, variable, counts: meaningOf(RateLimitSettings, rate) });
    });
    this.byName = new Map([...ofCore, ...ofExtensions].map((policy) => [policy.name, policy]));
  }

  [Symbol.iterator](): Iterator<RateLimitPolicy> {
    return this.byName.values();
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws Error if no extension of this application has declared it */
  get(name: PolicyName): RateLimitPolicy {
    const policy = this.byName.get(name);
    if (!policy) throw new Error(`There is no rate limit policy "${name}"; there are ${[...this.byName.keys()].join(', ')}`);
    return policy;
  }
}
