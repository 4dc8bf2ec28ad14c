import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { wantsGraphqlResponse } from './accept.js';
import { understandVariables } from './request-check.js';

/** What is wrong before execution is the caller's fault, and never a failure of ours. */
export function asBadRequest(fault: GraphQLError, status: 200 | 400 = 400): GraphQLError {
  fault.extensions['http'] = { status };
  return fault;
}

/** The request was understood, its document was not: how that is told depends on the type of the answer. */
export const statusOfFault = (accept: string | undefined): 200 | 400 => (wantsGraphqlResponse(accept) ? 400 : 200);

/** What the socket's planner checks, for requests over HTTP. */
export const requestCheckPlugin: ApolloServerPlugin = {
  requestDidStart: async () => ({
    // A source is known once the request itself was found to be well-formed: what is 400 from here on is the document's fault.
    willSendResponse: async ({ source, request: { http }, response }) => {
      if (response.http.status === 400 && source !== undefined) response.http.status = statusOfFault(http?.headers.get('accept'));
    },
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
