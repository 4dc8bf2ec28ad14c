import { applyDecorators, Injectable, SetMetadata, UseGuards, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ThrottlerException,
  ThrottlerGuard,
  ThrottlerStorage,
  type ThrottlerModuleOptions,
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import { callOf } from './limited-call.js';
import type { PolicyName } from './policies.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';
import { RateLimitPolicies } from './rate-limit-policies.js';
import { RateLimiter } from './rate-limiter.js';
import type { CountedCall } from './throttler-storage.js';

const POLICIES_OF_HANDLER = 'rate limit policies';

/** The policies that a handler names. */
export const policiesOf = (handler: object): readonly string[] =>
  (Reflect.getMetadata(POLICIES_OF_HANDLER, handler) as readonly string[] | undefined) ?? [];

/**
 * Counts calls of this handler under these policies, and refuses one past a limit with 429, or `TOO_MANY_REQUEST` in GraphQL. Each alias of
 * a GraphQL field is a call. The start fails if there is no such policy.
 */
export const RateLimit = (...names: [PolicyName, ...PolicyName[]]): MethodDecorator =>
  applyDecorators(SetMetadata(POLICIES_OF_HANDLER, names), UseGuards(RateLimitGuard));

/** @nestjs/throttler's guard, but counts a handler only under the policies that it names. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly limiter: RateLimiter,
    private readonly policies: RateLimitPolicies,
  ) {
    super(options, storage, reflector);
  }

  /** The package counts short windows first. Here the order is that of the list of policies. */
  override async onModuleInit(): Promise<void> {
    await super.onModuleInit();
    const order = [...this.policies].map(({ name }) => name);
    this.throttlers.sort((one, other) => order.indexOf(one.name ?? '') - order.indexOf(other.name ?? ''));
  }

  protected override async handleRequest({ context, limit, ttl, throttler }: ThrottlerRequest): Promise<boolean> {
    const policy = this.policies.get(throttler.name as PolicyName);
    const caller = callOf(context);
    const key = policy.keyOf(caller);
    if (key === undefined) return true;
    const counted = await this.storageService.increment(key, ttl, limit, 0, policy.name);
    const result = this.limiter.resultFor(caller.call, (counted as CountedCall).result);
    if (policy.role !== 'first') setRateLimitHeaders(caller.reply, result);
    if (result.isBlocked) throw new ThrottlerException();
    return true;
  }
}

/** The package asks this for each policy before it does anything else for it. */
export const isNotNamed =
  (policy: string) =>
  (context: ExecutionContext): boolean =>
    !policiesOf(context.getHandler()).includes(policy);
