import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RateLimiter, setRateLimitHeaders } from '../rate-limit/index.js';
import type { Principal, GqlContext } from './principal.js';
import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import { GraphQLError } from 'graphql';
import { PROBLEMS } from '../http/index.js';
import { costOf } from '../graphql/index.js';

/** Rate limits count a call once per this much of the cost of its document. */
export const CALL = { cost: 2_000 };

/** The execution of an event costs this beside the fields of its document. */
export const EVENT_COST = 50;

@Injectable()
export class CallLimits {
  constructor(private readonly limiter: RateLimiter) {}

  countAddress(address: string): boolean {
    return !this.limiter.consumeNow('address', address).isBlocked;
  }

  /** An anonymous caller counts by its address alone. */
  countCall(principal: Principal, reply?: FastifyReply): boolean {
    return this.count(principal, 1, reply);
  }

  /** Charges the rest of a document's cost: the first call was counted before the cost was known. */
  charge({ principal, address, reply }: Pick<GqlContext, 'principal' | 'address' | 'reply'>, cost: number): boolean {
    const calls = Math.ceil(cost / CALL.cost) - 1;
    if (principal.userId !== null || calls <= 0) return this.count(principal, calls, reply);
    const result = this.limiter.consumeNow('address', address, calls);
    setRateLimitHeaders(reply, result);
    return !result.isBlocked;
  }

  /** Events count apart from calls: payments that others send to an account must not use up the calls of its keys. */
  countEvent({ userId }: Principal, address: string, cost: number): boolean {
    return !this.limiter.consumeNow('eventCost', userId ?? address, cost).isBlocked;
  }

  /** Charges a cost that is known only while a call is handled, such as the rows of a file. A part of `CALL.cost` counts as a call. */
  chargeMore(principal: Principal, cost: number, reply?: FastifyReply): boolean {
    return this.count(principal, Math.ceil(cost / CALL.cost), reply);
  }

  private count({ id, userId }: Principal, calls: number, reply?: FastifyReply): boolean {
    if (calls <= 0 || userId === null) return true;
    // Both are counted, whatever the first returns.
    const results = [this.limiter.consumeNow('principal', id, calls), this.limiter.consumeNow('account', userId, calls)];
    for (const result of results) setRateLimitHeaders(reply, result);
    return results.every(({ isBlocked }) => !isBlocked);
  }
}

export const TOO_MANY_CALLS = PROBLEMS.tooManyRequests.message;

/** After validation and before any resolver, charges a document's cost beyond the one call that was counted before. */
@Plugin()
export class CostPlugin implements ApolloServerPlugin<GqlContext> {
  private readonly listener: GraphQLRequestListener<GqlContext>;

  constructor(callLimits: CallLimits) {
    this.listener = {
      didResolveOperation: async ({ operation, contextValue }) => {
        if (!operation || callLimits.charge(contextValue, costOf(operation))) return;
        throw new GraphQLError(TOO_MANY_CALLS, { extensions: { code: 'TOO_MANY_REQUEST', http: { status: 429 } } });
      },
    };
  }

  async requestDidStart(): Promise<GraphQLRequestListener<GqlContext>> {
    return this.listener;
  }
}
