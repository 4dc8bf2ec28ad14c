import { HeaderMap, type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, type GraphQLResponse } from '@apollo/server';
import { execute, GraphQLError, type DocumentNode, type ExecutionArgs, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import type { Work } from '../http/index.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import type { AnswerText } from './answer-text.js';
import { takeThreadTurn } from './operation-turns.js';
import { costOf, isIntrospection } from './limits.js';

/** A cheaper query about the schema is executed like any other. */
const HEAVY_COST = 2_000;
const OF_SCHEMA = /__(schema|type)\b/;
const CACHE_BYTES = 16 * 2 ** 20;

interface CachedResult {
  readonly result: ExecutionResult;
  readonly bytes: number;
}

const response = (singleResult: ExecutionResult, status?: number, headers = new HeaderMap()): GraphQLResponse => ({
  http: { status, headers },
  body: { kind: 'single', singleResult },
});

/** No turn: this is the response itself, because Apollo takes an error thrown by `responseForOperation` for an internal one. */
function refusal(error: unknown): GraphQLResponse {
  if (!(error instanceof GraphQLError)) throw error;
  const { http, ...extensions } = error.extensions as { http?: { status: number; headers: Map<string, string> } };
  return response({ errors: [new GraphQLError(error.message, { extensions })] }, http?.status, new HeaderMap(http?.headers));
}

/** The schema never changes in this process, so responses are cached by document. Their execution is heavy, so callers take turns. */
export function introspectionPlugin(answers: AnswerText): ApolloServerPlugin {
  const cache = new BoundedMap<DocumentNode, CachedResult>(CACHE_BYTES, ({ bytes }) => bytes);

  const keep = (document: DocumentNode, result: ExecutionResult): void => {
    if (result.data && !result.errors) cache.set(document, { result, bytes: Buffer.byteLength(answers.keep(result.data)) });
  };

  const answer = async (asked: ExecutionArgs & { operationCount: number }, work: Work | undefined): Promise<ExecutionResult> => {
    const isKeepable = asked.operationCount === 1 && !asked.variableValues;
    const known = (): ExecutionResult | undefined => (isKeepable ? cache.get(asked.document)?.result : undefined);
    const before = known();
    if (before) return before;
    await takeThreadTurn(work);
    const meanwhile = known();
    if (meanwhile) return meanwhile;
    const result = await execute(asked);
    if (isKeepable) keep(asked.document, result);
    return result;
  };

  const listener: GraphQLRequestListener<BaseContext> = {
    responseForOperation: async ({ document, operation: named, schema, request, contextValue }) => {
      const operation = named as OperationDefinitionNode | undefined; // undefined if none has the requested name
      if (operation?.operation !== 'query' || costOf(operation) < HEAVY_COST || !isIntrospection(document)) return null;
      const hasVariables = (operation.variableDefinitions?.length ?? 0) > 0;
      const { operationName, variables } = request;
      const asked = { schema, document, operationName, ...(hasVariables && { variableValues: variables }), contextValue };
      const operationCount = document.definitions.filter(({ kind }) => kind === 'OperationDefinition').length;
      return answer({ ...asked, operationCount }, (contextValue as { work?: Work }).work).then((result) => response(result), refusal);
    },
  };
  // Skipped where possible, because Apollo awaits every listener several times per request.
  return { requestDidStart: async ({ request: { query } }) => (query === undefined || OF_SCHEMA.test(query) ? listener : undefined) };
}
