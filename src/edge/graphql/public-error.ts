import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isUnavailable, OutageLog, outageText } from '../../platform/database/index.js';
import { newReference } from '../../platform/kernel/reference.js';
import { Log } from '../../platform/logging/index.js';
import { problemsOf } from './refusal.js';

const log = new Log('GraphQL');
export const UNEXPECTED = 'Unexpected error occurred, please try again or contact support if it persists';
const outages = new OutageLog(log);

/** A message may quote the input, which may be as long as a request. The reason is at the end. */
const MAX_MESSAGE = 600;
const shortened = (message: string): string =>
  message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE / 2)} … ${message.slice(-MAX_MESSAGE / 2)}`;

/** Apollo gives these errors of persisted queries no code. */
const OF_PERSISTED_QUERIES: ReadonlySet<string> = new Set(['Unsupported persisted query version', 'provided sha does not match query']);

/**
 * The last filter, for Apollo and the socket: a refusal of any resolver reaches the client as it is; an unexpected error is logged, and
 * leaves without its text.
 */
export function publicError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  if (!cause) return withoutInternals(formatted, OF_PERSISTED_QUERIES.has(formatted.message) ? 'BAD_USER_INPUT' : undefined);
  // One without a code of Sluice's or of an extension's is graphql-js's own: a resolver returned a value that its type does not have.
  const isFault = formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR';
  if (cause instanceof GraphQLError && !(isFault && cause.extensions['code'] === undefined))
    return withoutInternals(formatted, cause.extensions['code']);
  const { path, locations } = formatted;
  const where = { ...(locations && { locations }), ...(path && { path }) };
  const [problem] = problemsOf(cause) ?? [];
  if (problem) {
    const { message, code, path: argument } = problem;
    return { message: shortened(message), ...where, extensions: { code, ...(argument && { argument }) } };
  }
  if (isUnavailable(cause)) {
    outages.report(cause);
    return { message: outageText(cause), ...where, extensions: { code: 'SERVICE_UNAVAILABLE' } };
  }
  const reference = newReference();
  log.error('graphql_unexpected_error', { reference }, `Reference ${reference}: a resolver failed`, cause);
  return { message: UNEXPECTED, ...where, extensions: { code: 'INTERNAL_SERVER_ERROR', reference } };
}

/**
 * `stacktrace` would leak internals, and `extensions.http` is Apollo's own. Apollo replaces the code of a validation rule's error: `code`
 * restores the rule's.
 */
function withoutInternals({ extensions, message, ...others }: GraphQLFormattedError, code: unknown): GraphQLFormattedError {
  const rest = { ...others, message: shortened(message) };
  if (!extensions) return rest;
  const { stacktrace: _stacktrace, http: _http, ...kept } = extensions;
  return { ...rest, extensions: code === undefined ? kept : { ...kept, code } };
}
