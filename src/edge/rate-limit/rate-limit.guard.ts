import {
  applyDecorators,
  HttpException,
  HttpStatus,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
} from '@nestjs/common';
import { handlersOfAll, PROBLEMS } from '../http/index.js';
import { callOf, type PolicyName, RateLimitPolicies } from './policies.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';
import { RateLimiter } from './rate-limiter.js';
import { DiscoveryService } from '@nestjs/core';

const POLICIES_OF_HANDLER = 'rate limit policies';

const policiesOf = (handler: object): readonly string[] =>
  (Reflect.getMetadata(POLICIES_OF_HANDLER, handler) as readonly string[] | undefined) ?? [];

/**
 * Counts calls of this handler under these policies, and refuses one past a limit with 429, or `TOO_MANY_REQUEST` in GraphQL. Each alias of
 * a GraphQL field is a call. The start fails if there is no such policy.
 */
export const RateLimit = (...names: [PolicyName, ...PolicyName[]]): MethodDecorator =>
  applyDecorators(SetMetadata(POLICIES_OF_HANDLER, names), UseGuards(RateLimitGuard));

@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly policies: RateLimitPolicies,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const names = policiesOf(context.getHandler());
    const caller = callOf(context);
    for (const policy of this.policies) {
      const key = names.includes(policy.name) ? policy.keyOf(caller) : undefined;
      if (key === undefined) continue;
      const result = this.limiter.resultFor(caller.call, await this.limiter.consume(policy.name as PolicyName, key));
      if (policy.role !== 'first') setRateLimitHeaders(caller.reply, result);
      if (result.isBlocked) throw new HttpException(PROBLEMS.tooManyRequests.message, HttpStatus.TOO_MANY_REQUESTS);
    }
    return true;
  }
}

/** Fails the start if a handler names a policy that does not exist: it would be called without any limit. */
@Injectable()
export class RateLimitCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly policies: RateLimitPolicies,
  ) {}

  onModuleInit(): void {
    const faults = handlersOfAll(this.discovery).flatMap(({ owner, name, handler }) => {
      const unknown = policiesOf(handler).filter((policy) => !this.policies.has(policy));
      return unknown.map((policy) => `${owner.name}.${name}: there is no policy "${policy}"`);
    });
    if (faults.length > 0) throw new Error(`Handlers with an unknown rate limit policy:\n  ${faults.join('\n  ')}`);
  }
}
