import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { getNamedType, GraphQLError, isNonNullType, isObjectType, type GraphQLOutputType, type GraphQLResolveInfo } from 'graphql';
import { statementOutcomeOf, isUnavailable, outageText } from '../../platform/database/index.js';
import { RETRY_AFTER } from '../http/index.js';
import { newReference } from '../../platform/kernel/reference.js';
import { Log } from '../../platform/logging/index.js';
import type { OperationProgress, WithProgress } from './operation-progress.js';
import { problemsOf, AccessError, type Problem } from './refusal.js';
import { UNEXPECTED } from './public-error.js';

/** Payload types that can carry errors alone: an `errors` list, and no other non-null field. */
function takesErrors(returns: GraphQLOutputType): boolean {
  const type = getNamedType(returns);
  return (
    isObjectType(type) &&
    'errors' in type.getFields() &&
    Object.values(type.getFields()).every(({ name, type: of }) => name === 'errors' || !isNonNullType(of))
  );
}

/** A filter, because no interceptor sees what guards throw. It costs nothing until an error is thrown. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly log = new Log('Http');

  catch(error: unknown, host: ArgumentsHost): unknown {
    if (host.getType<string>() === 'graphql')
      return inGraphQL(error, host.getArgByIndex<GraphQLResolveInfo>(3), host.getArgByIndex<WithProgress>(2).progress);
    return this.overHttp(error, host.switchToHttp().getResponse<FastifyReply>());
  }

  private overHttp(error: unknown, reply: FastifyReply): void {
    // The client disconnected while its response was being compressed: there is no caller to answer, and nothing of Sluice's has failed.
    if (isCutOff(error)) return;
    const { status, code, message, more } = this.answerTo(error);
    if (error instanceof AccessError) {
      const { scope } = error.extensions;
      const missing = typeof scope === 'string' ? `, error="insufficient_scope", scope="${scope}"` : '';
      reply.header('www-authenticate', `Bearer realm="sluice"${missing}`);
    }
    if (status === 503) reply.header('retry-after', RETRY_AFTER.outage);
    void reply.code(status).send({ error: { code: status, status: code, message, ...more } });
  }

  private answerTo(error: unknown): { status: number; code: string; message: string; more?: object } {
    if (error instanceof AccessError) {
      const { code, hint } = error.extensions;
      const status = code === 'NOT_AUTHENTICATED' ? 401 : 403;
      return { status, code: String(code), message: error.message, ...(hint !== undefined && { more: { hint } }) };
    }
    const problems = problemsOf(error);
    if (problems) {
      const status = error instanceof HttpException ? error.getStatus() : 400;
      return { status, code: problems[0]?.code ?? 'INVALID_INPUT', message: problems[0]?.message ?? '', more: { errors: problems } };
    }
    if (isUnavailable(error)) return { status: 503, code: 'SERVICE_UNAVAILABLE', message: outageText(error) };
    // @as-integrations/fastify builds a URL from the Host header.
    if ((error as { code?: string } | null)?.code === 'ERR_INVALID_URL')
      return { status: 400, code: 'INVALID_INPUT', message: 'Bad Host header' };
    const { statusCode, message } = (error ?? {}) as { statusCode?: number; message?: string };
    if (statusCode && statusCode >= 400 && statusCode < 500)
      return { status: statusCode, code: 'INVALID_INPUT', message: message ?? 'Bad request' };
    // `ArrivingBodies` had no room for the body; or a handler of an extension asks its caller to come back.
    if (statusCode === 503 || (error instanceof HttpException && error.getStatus() === 503))
      return { status: 503, code: 'SERVICE_UNAVAILABLE', message: message ?? 'Please try again in a moment' };
    const reference = newReference();
    this.log.error('http_unexpected_error', { reference }, `Reference ${reference}: a request failed`, error);
    return { status: 500, code: 'INTERNAL_SERVER_ERROR', message: UNEXPECTED, more: { reference } };
  }
}

const isCutOff = (error: unknown): boolean => (error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** A payload takes its errors itself; all other errors pass on to `publicError()`, like those of nested fields. */
function inGraphQL(error: unknown, info: GraphQLResolveInfo, progress: OperationProgress | undefined): { errors: readonly Problem[] } {
  const problems = problemsOf(error);
  if (problems && info.operation.operation === 'mutation' && takesErrors(info.returnType)) return { errors: problems };
  if (!problems && !(error instanceof GraphQLError) && isUnavailable(error)) return outage(error, info, progress);
  throw error;
}

/**
 * Before anything has taken effect, an outage fails the whole request. Later the payload reports it: a top-level error of a non-null field
 * would remove the results of the earlier fields.
 */
function outage(
  error: unknown,
  { path, operation, returnType }: GraphQLResolveInfo,
  progress: OperationProgress | undefined,
): { errors: readonly Problem[] } {
  const outcome = statementOutcomeOf(error);
  const away: Problem = { message: outageText(error), code: 'SERVICE_UNAVAILABLE', path: null };
  const isRoot = path.prev === undefined;
  if (isRoot && (outcome === 'not_sent' || outcome === 'undone')) progress?.undo();
  if (operation.operation === 'mutation' && isRoot && progress?.mayRepeat === false && takesErrors(returnType)) return { errors: [away] };
  throw new GraphQLError(away.message, { extensions: { code: away.code } });
}
