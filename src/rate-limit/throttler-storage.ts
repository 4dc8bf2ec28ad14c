import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { PolicyName } from './policies.js';
import { RateLimiter } from './rate-limiter.js';
import type { RateLimitResult } from './rate-limit-store.js';

type Increment = ThrottlerStorage['increment'];

/** What the guard of @nestjs/throttler reads, and the result itself. */
export interface CountedCall extends Awaited<ReturnType<Increment>> {
  readonly result: RateLimitResult;
}

/** The storage of @nestjs/throttler: its guard counts in the rate limiter, which knows the rates of the policies. */
@Injectable()
export class LimiterStorage implements ThrottlerStorage {
  constructor(private readonly limiter: RateLimiter) {}

  async increment(...[key, , , , policy]: Parameters<Increment>): Promise<CountedCall> {
    const result = await this.limiter.consume(policy as PolicyName, key);
    const { hits: totalHits, resetSeconds, isBlocked } = result;
    return { result, totalHits, isBlocked, timeToExpire: resetSeconds, timeToBlockExpire: resetSeconds };
  }
}
