import type { ApolloServerPlugin, GraphQLRequestContextDidResolveOperation, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { wantsGraphqlResponse } from './accept.js';
import type { AnswerText } from './answer-text.js';
import { waitForDocumentTurn } from './document-turns.js';
import { tellProgress, type WithProgress } from './operation-progress.js';
import { takeMutationTurn, type Caller } from './operation-turns.js';
import { understandVariables } from './request-check.js';

/** What is wrong before execution is the caller's fault, and never a failure of ours. */
export function asBadRequest(fault: GraphQLError, status: 200 | 400 = 400): GraphQLError {
  fault.extensions['http'] = { status };
  return fault;
}

/** The request was understood, its document was not: how that is told depends on the type of the answer. */
export const statusOfFault = (accept: string | undefined): 200 | 400 => (wantsGraphqlResponse(accept) ? 400 : 200);

/** What is done with every request over HTTP. One listener, because Apollo waits for each of them several times a request. */
export function requestPlugin(answers: AnswerText, documentBytes: number): ApolloServerPlugin<WithProgress & Caller> {
  const listener: GraphQLRequestListener<WithProgress & Caller> = {
    validationDidStart: waitForDocumentTurn(documentBytes),
    didResolveOperation: async (context) => {
      check(context);
      if (context.operation?.operation === 'mutation') await takeMutationTurn(context.contextValue);
    },
    willSendResponse: async (context) => {
      const { source, request, response } = context;
      // A source is known once the request itself was found to be well-formed: what is 400 from here on is the document's fault.
      if (response.http.status === 400 && source !== undefined) response.http.status = statusOfFault(request.http?.headers.get('accept'));
      tellProgress(context);
      answers.note(context);
    },
  };
  return { requestDidStart: async () => listener };
}

/** What the socket's planner checks too. */
function check({ schema, operation, request }: GraphQLRequestContextDidResolveOperation<WithProgress>): void {
  if (operation?.operation === 'subscription')
    throw asBadRequest(new GraphQLError('Subscriptions are served over WebSocket', { extensions: { code: 'OPERATION_NOT_SUPPORTED' } }));
  if (!operation) return;
  const understood = understandVariables(schema, operation, request.variables ?? {});
  if ('fault' in understood) throw asBadRequest(understood.fault);
}
