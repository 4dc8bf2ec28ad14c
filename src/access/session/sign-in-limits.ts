import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../edge/rate-limit/index.js';
import type { SignInOutcome } from './sign-in.outcome.js';

type SignInPolicy = 'signInAccount' | 'signInAddress' | 'signInDevice';

@Injectable()
export class SignInLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async isUsedUp(policy: SignInPolicy, key: string): Promise<boolean> {
    return (await this.limiter.peek(policy, key)).isBlocked;
  }

  /** Counts a wrong answer under these policies, the narrowest first. */
  async wrong(keys: Partial<Record<SignInPolicy, string>>): Promise<SignInOutcome> {
    const limits = await Promise.all(Object.entries(keys).map(([policy, key]) => this.limiter.consume(policy as SignInPolicy, key)));
    const reached = limits.find(({ isBlocked }) => isBlocked);
    if (reached) return { kind: 'slowed_down', retryAfterSeconds: reached.resetSeconds, limit: reached };
    return { kind: 'refused', ...(limits[0] && { limit: limits[0] }) };
  }

  async closed(address: string): Promise<SignInOutcome> {
    const limit = await this.limiter.peek('signInAddress', address);
    return { kind: 'slowed_down', retryAfterSeconds: limit.resetSeconds, limit };
  }
}
