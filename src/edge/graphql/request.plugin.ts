import type { ApolloServerPlugin, GraphQLRequestContextDidResolveOperation, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError } from 'graphql';
import Negotiator from 'negotiator';
import type { AnswerText } from './answer-text.js';
import type { Caller } from '../http/index.js';
import { waitForDocumentTurn } from './operation-turns.js';
import { writeProgress, type WithProgress } from './operation-progress.js';
import { coerceVariables } from './request-check.js';

/** An error before execution is the client's, never an internal one. */
export function asBadRequest(fault: GraphQLError, status: 200 | 400 = 400): GraphQLError {
  fault.extensions['http'] = { status };
  return fault;
}

const MEDIA_TYPES = { plain: 'application/json; charset=utf-8', graphql: 'application/graphql-response+json; charset=utf-8' };

/**
 * The request was well-formed, its document was not. Under `application/graphql-response+json` the status reports that; other clients read a
 * status beside 200 as a transport failure and never read the errors.
 */
export const statusOfFault = (accept: string | undefined): 200 | 400 =>
  new Negotiator({ headers: { accept } }).mediaType(Object.values(MEDIA_TYPES)) === MEDIA_TYPES.graphql ? 400 : 200;

/** Runs at every HTTP request. One listener, because Apollo awaits each listener several times per request. */
export function requestPlugin(answers: AnswerText, documentBytes: number): ApolloServerPlugin<WithProgress & Caller> {
  const listener: GraphQLRequestListener<WithProgress & Caller> = {
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

function check({ schema, document, operation, request }: GraphQLRequestContextDidResolveOperation<WithProgress>): void {
  if (operation?.operation === 'subscription')
    throw asBadRequest(
      new GraphQLError('Subscriptions are only available over WebSocket', { extensions: { code: 'OPERATION_NOT_SUPPORTED' } }),
    );
  if (!operation) return;
  const understood = coerceVariables(schema, document, operation, request.variables ?? {});
  if ('fault' in understood) throw asBadRequest(understood.fault);
}
