import type { ApolloServerPlugin, GraphQLRequestContextDidResolveOperation, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { wantsGraphqlResponse } from './accept.js';
import type { AnswerText } from './answer-text.js';
import { waitForDocumentTurn } from './document-turns.js';
import { writeProgress, type WithProgress } from './operation-progress.js';
import type { WorkContext } from './operation-turns.js';
import { coerceVariables } from './request-check.js';

/** An error before execution is the client's, never an internal one. */
export function asBadRequest(fault: GraphQLError, status: 200 | 400 = 400): GraphQLError {
  fault.extensions['http'] = { status };
  return fault;
}

/** The request was well-formed, its document was not: the status depends on the media type of the response. */
export const statusOfFault = (accept: string | undefined): 200 | 400 => (wantsGraphqlResponse(accept) ? 400 : 200);

/** Runs at every HTTP request. One listener, because Apollo awaits each listener several times per request. */
export function requestPlugin(answers: AnswerText, documentBytes: number): ApolloServerPlugin<WithProgress & WorkContext> {
  const listener: GraphQLRequestListener<WithProgress & WorkContext> = {
    validationDidStart: waitForDocumentTurn(documentBytes),
    didResolveOperation: async (context) => check(context),
    willSendResponse: async (context) => {
      const { source, request, response } = context;
      // `source` is set once the request itself was found well-formed: a 400 after that is the document's fault.
      if (response.http.status === 400 && source !== undefined) response.http.status = statusOfFault(request.http?.headers.get('accept'));
      writeProgress(context);
      answers.note(context);
    },
  };
  return { requestDidStart: async () => listener };
}

/** `SubscriptionExecutor` makes the same checks. */
function check({ schema, document, operation, request }: GraphQLRequestContextDidResolveOperation<WithProgress>): void {
  if (operation?.operation === 'subscription')
    throw asBadRequest(
      new GraphQLError('Subscriptions are only available over WebSocket', { extensions: { code: 'OPERATION_NOT_SUPPORTED' } }),
    );
  if (!operation) return;
  const understood = coerceVariables(schema, document, operation, request.variables ?? {});
  if ('fault' in understood) throw asBadRequest(understood.fault);
}
