import { Injectable } from '@nestjs/common';
import { RateLimiter, type RateLimitResult } from '../../edge/rate-limit/index.js';

export type SignInOutcome =
  /** Only the hash of the token is stored. `device` is the value of the browser's device cookie. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly sessionId: string; readonly userId: string; readonly device: string }
  /** One outcome for an unknown address and a wrong password. */
  | { readonly kind: 'refused'; readonly limit?: RateLimitResult }
  /** Too many wrong answers, or (without a limit) too many concurrent attempts. Says nothing about the password. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number; readonly limit?: RateLimitResult };

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
