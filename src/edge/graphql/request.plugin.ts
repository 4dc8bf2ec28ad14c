import type { ApolloServerPlugin, GraphQLRequestContextDidResolveOperation, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { AnswerText } from './answer-text.js';
import { waitForDocumentTurn, type WorkContext } from './operation-turns.js';
import { writeProgress, type WithProgress } from './operation-progress.js';
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

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** 3: exactly; 2: by the first half; 1: as any type; 0: not at all. */
function fit(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split('/', 1)[0] ?? ''}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}

interface Preference {
  readonly quality: number;
  readonly fit: number;
  readonly position: number;
}

/** The most precise range decides (RFC 9110 section 12.5.1). */
function preferenceFor(accept: string, type: string): Preference {
  let best: Preference = { quality: 0, fit: 0, position: 0 };
  accept.split(',').forEach((each, position) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const fits = fit(range, type);
    const quality = Number(/^q=(.*)$/.exec(parameters.find((parameter) => parameter.startsWith('q=')) ?? '')?.[1] ?? 1);
    if (fits > best.fit) best = { quality, fit: fits, position };
  });
  return best;
}

/**
 * Under `application/graphql-response+json` the status reports the outcome of the document. Other clients read a status beside 200 as a
 * transport failure and never read the errors.
 */
function wantsGraphqlResponse(accept: string | undefined): boolean {
  if (!accept) return false;
  const [plain, response] = [preferenceFor(accept, JSON_TYPE), preferenceFor(accept, RESPONSE_TYPE)];
  if (response.quality === 0) return false;
  return (response.quality - plain.quality || response.fit - plain.fit || plain.position - response.position) > 0;
}
