import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import { GraphQLError } from 'graphql';
import { PROBLEMS } from '../http/index.js';
import { costOf } from '../graphql/index.js';
import { CallLimits } from './call-limits.js';
import type { GqlContext } from './principal.js';

export const TOO_MANY_CALLS = PROBLEMS.tooManyRequests.message;

/** After validation and before any resolver, charges a document's cost beyond the one call that was counted before. */
@Plugin()
export class CostPlugin implements ApolloServerPlugin<GqlContext> {
  private readonly listener: GraphQLRequestListener<GqlContext>;

  constructor(callLimits: CallLimits) {
    this.listener = {
      didResolveOperation: async ({ operation, contextValue: { principal, reply } }) => {
        if (!operation || callLimits.charge(principal, costOf(operation), reply)) return;
        throw new GraphQLError(TOO_MANY_CALLS, { extensions: { code: 'TOO_MANY_REQUEST', http: { status: 429 } } });
      },
    };
  }

  async requestDidStart(): Promise<GraphQLRequestListener<GqlContext>> {
    return this.listener;
  }
}
