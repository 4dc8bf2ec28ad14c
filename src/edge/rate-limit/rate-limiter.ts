import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/index.js';
import { widerKeyOf } from './caller-address.js';
import { MemoryRateLimitStore } from './memory.store.js';
import { type MemoryPolicyName, type PolicyName, RateLimitPolicies } from './policies.js';
import { RateLimitStore, type RateLimitResult } from './rate-limit-store.js';

/** Counts calls under the policies of the application. Handlers with `@RateLimit()` need only that; a service passes a key of its own. */
@Injectable()
export class RateLimiter {
  /** Calls that are among the first of their network. */
  private readonly first = new WeakSet<object>();
  private readonly refusals: Counter<'policy'>;

  constructor(
    private readonly policies: RateLimitPolicies,
    private readonly memory: MemoryRateLimitStore,
    private readonly shared: RateLimitStore,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter('sluice_rate_limit_refused_total', 'Calls past a rate limit, by policy', ['policy']);
  }

  /** Counts as `cost` calls. The caller refuses a call whose result `isBlocked`. @throws Error if there is no such policy */
  async consume(policy: PolicyName, key: string, cost = 1): Promise<RateLimitResult> {
    const found = this.policies.get(policy);
    const store = found.store === 'memory' ? this.memory : this.shared;
    const result = await store.consume(found, key, cost);
    const widerKey = result.isBlocked ? undefined : widerKeyOf(key);
    return this.noted(result, widerKey === undefined ? undefined : await store.consume(this.policies.wider(found), widerKey, cost), cost);
  }

  /** The same without a promise, for policies that count in this process. */
  consumeNow(policy: MemoryPolicyName, key: string, cost = 1): RateLimitResult {
    const found = this.policies.get(policy);
    const result = this.memory.consumeNow(found, key, cost);
    const widerKey = result.isBlocked ? undefined : widerKeyOf(key);
    return this.noted(
      result,
      widerKey === undefined ? undefined : this.memory.consumeNow(this.policies.wider(found), widerKey, cost),
      cost,
    );
  }

  /** Would the next call exceed the limit? Does not count. For policies that count wrong answers only. */
  peek(policy: PolicyName, key: string): Promise<RateLimitResult> {
    return this.consume(policy, key, 0);
  }

  /** No ceiling blocks a call that is among the first of its network. `call` is the same object for all policies that count it. */
  resultFor(call: object, result: RateLimitResult): RateLimitResult {
    const { isBlocked, policy } = result;
    if (policy.role === 'own') return result;
    if (policy.role === 'first' && !isBlocked) this.first.add(call);
    if (isBlocked && policy.role === 'ceiling' && !this.first.has(call)) {
      this.refusals.inc({ policy: policy.name });
      return result;
    }
    return isBlocked ? { ...result, isBlocked: false } : result;
  }

  /** Ceilings count a refusal in `resultFor`. @param wider of the /56 around the address: what its /64 was refused does not count there */
  private noted(own: RateLimitResult, wider: RateLimitResult | undefined, cost: number): RateLimitResult {
    const result = wider?.isBlocked ? wider : own;
    if (result.isBlocked && cost > 0 && result.policy.role === 'own') this.refusals.inc({ policy: result.policy.name });
    return result;
  }
}
