import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { understandVariables } from './request-check.js';

/** The status that GraphQL over HTTP gives to what is wrong before execution. */
export function asBadRequest(fault: GraphQLError): GraphQLError {
  fault.extensions['http'] = { status: 400 };
  return fault;
}

/** What the socket's planner checks, for requests over HTTP. */
export const requestCheckPlugin: ApolloServerPlugin = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, operation, request }) => {
      if (operation?.operation === 'subscription')
        throw asBadRequest(
          new GraphQLError('Subscriptions are served over WebSocket', { extensions: { code: 'OPERATION_NOT_SUPPORTED' } }),
        );
      if (!operation) return;
      const understood = understandVariables(schema, operation, request.variables ?? {});
      if ('fault' in understood) throw asBadRequest(understood.fault);
    },
  }),
};
