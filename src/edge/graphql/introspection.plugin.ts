import { hash } from 'node:crypto';
import { HeaderMap, type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, type GraphQLResponse } from '@apollo/server';
import { execute, GraphQLError, type ExecutionArgs, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import type { Work } from '../http/index.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import type { AnswerText } from './answer-text.js';
import { takeThreadTurn } from './operation-turns.js';
import { costOf, isIntrospection } from './limits.js';
import { coerceVariables } from './request-check.js';

/** A cheaper query about the schema is executed like any other. */
const HEAVY_COST = 2_000;
const OF_SCHEMA = /__(schema|type)\b/;
const CACHE_BYTES = 16 * 2 ** 20;
const MAX_CHARACTER_BYTES = 2;

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

/**
 * The schema never changes in this process, so answers are kept, by document and variables, and as text alone: the objects of a result take
 * ten times its memory. Their execution is heavy, so callers take turns.
 */
export function introspectionPlugin(answers: AnswerText): ApolloServerPlugin {
  const texts = new BoundedMap<string, string>(CACHE_BYTES, (text) => text.length * MAX_CHARACTER_BYTES);
  const find = (key: string): ExecutionResult | undefined => {
    const text = texts.get(key);
    return text === undefined ? undefined : answers.resultOf(text);
  };

  const answer = async (asked: ExecutionArgs, work: Work | undefined): Promise<ExecutionResult> => {
    const { document, operationName, variableValues } = asked;
    const key = hash('sha256', JSON.stringify([document.loc?.source.body, operationName, variableValues]));
    const before = find(key);
    if (before) return before;
    await takeThreadTurn(work);
    const meanwhile = find(key);
    if (meanwhile) return meanwhile;
    const result = await execute(asked);
    if (!result.data || result.errors) return result;
    const text = answers.make(result);
    texts.set(key, text);
    return answers.resultOf(text);
  };

  const listener: GraphQLRequestListener<BaseContext> = {
    responseForOperation: async ({ document, operation: named, schema, request, contextValue }) => {
      const operation = named as OperationDefinitionNode | undefined; // undefined if none has the requested name
      if (operation?.operation !== 'query' || costOf(operation) < HEAVY_COST || !isIntrospection(document)) return null;
      const coerced = coerceVariables(schema, document, operation, request.variables ?? {});
      const variableValues = 'variables' in coerced ? coerced.variables : {};
      const asked = { schema, document, operationName: request.operationName, variableValues, contextValue };
      return answer(asked, (contextValue as { work?: Work }).work).then((result) => response(result), refusal);
    },
  };
  // Skipped where possible, because Apollo awaits every listener several times per request.
  return { requestDidStart: async ({ request: { query } }) => (query === undefined || OF_SCHEMA.test(query) ? listener : undefined) };
}
