import type { Environment } from './environment.js';

/** Limits of a GraphQL document and of its answer. */
export interface GraphqlConfig {
  readonly documentBytes: number;
  readonly depth: number;
  readonly aliases: number;
  readonly tokens: number;
  readonly cost: number;
  readonly answerBytes: number;
}

export const graphqlOf = (env: Environment): GraphqlConfig => ({
  documentBytes: env.GRAPHQL_DOCUMENT_BYTES,
  depth: env.GRAPHQL_DEPTH,
  aliases: env.GRAPHQL_ALIASES,
  tokens: env.GRAPHQL_TOKENS,
  cost: env.GRAPHQL_COST,
  answerBytes: env.GRAPHQL_ANSWER_BYTES,
});
