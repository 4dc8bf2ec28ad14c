import { VARIABLES, type Config } from '../config/index.js';
import { POLICIES, type PolicyName, type RateLimitPolicy } from './policies.js';

/** The policies of this application with their values: those of the core, then those of its extensions. */
export class RateLimitPolicies implements Iterable<RateLimitPolicy> {
  private readonly byName: ReadonlyMap<string, RateLimitPolicy>;

  constructor({ throttle }: Pick<Config, 'throttle'>, ofExtensions: readonly RateLimitPolicy[] = []) {
    const ofCore = Object.entries(POLICIES).map(([name, rule]): RateLimitPolicy => {
      const rate = throttle[name as keyof typeof POLICIES];
      return Object.freeze({ name, ...rate, ...rule, counts: VARIABLES['Rate limits'][rule.variable] });
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
