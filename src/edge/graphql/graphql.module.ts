import { readFileSync } from 'node:fs';
import type { DynamicModule } from '@nestjs/common';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { Log } from '../../platform/logging/index.js';
import { AnswerText } from './answer-text.js';
import { faultOfText, VALIDATION_OPTIONS } from './document-faults.js';
import { introspectionPlugin } from './introspection.plugin.js';
import { bytesOfDocument, limitRule } from './limits.js';
import { publicError } from './public-error.js';
import { asBadRequest, requestPlugin, statusOfFault } from './request.plugin.js';
import { scalarResolvers, typeResolvers } from './scalars.js';
import { collectArgumentErrors } from './input.pipe.js';
import type { GraphqlSettings } from './graphql.settings.js';

export interface GraphqlOptions {
  readonly settings: GraphqlSettings;
  /** Absolute paths: the core's first, then those of extensions. */
  readonly schemaFiles: readonly string[];
  readonly context: (request: FastifyRequest, reply: FastifyReply) => object;
  readonly transformSchema: (schema: GraphQLSchema) => GraphQLSchema;
}

const PERSISTED_BYTES = 4 * 2 ** 20;
const DOCUMENTS_BYTES = 30 * 2 ** 20;
const apollo = new Log('Apollo');

/** `/graphql` over HTTP. Subscriptions have their own server (socket/), because Nest's cannot limit the size of a message. */
export function graphqlModule({ settings, schemaFiles, context, transformSchema }: GraphqlOptions): DynamicModule {
  const answers = new AnswerText(settings.GRAPHQL_ANSWER_BYTES);
  return GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    path: '/graphql',
    // Nest would merge the types of `typePaths`, as the builder of the schema does again: a quarter of a start.
    typeDefs: schemaFiles.map((path) => readFileSync(path, 'utf8')).join('\n'),
    resolvers: { ...scalarResolvers, ...typeResolvers },
    inheritResolversFromInterfaces: true,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    transformSchema: (schema) => transformSchema(collectArgumentErrors(schema)),
    context: (request: FastifyRequest, reply: FastifyReply) => {
      const { query } = (request.method === 'GET' ? request.query : (request.body ?? {})) as { readonly query?: unknown };
      const fault = faultOfText(query, settings.GRAPHQL_DOCUMENT_BYTES);
      if (fault) throw asBadRequest(fault, statusOfFault(request.headers.accept));
      return context(request, reply);
    },
    fieldResolverEnhancers: [],
    formatError: publicError,
    autoTransformHttpErrors: false,
    // An outage gets its status in `writeProgress`, which also keeps all other responses at 200.
    preserveHttpStatusForExecutionErrors: false,
    includeStacktraceInErrorResponses: false,
    introspection: true,
    graphiql: false,
    // /graphql never reads cookies, so a cross-site request has no credentials and plain GET queries may pass.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: settings.GRAPHQL_TOKENS },
    validationRules: [limitRule(settings)],
    validationOptions: VALIDATION_OPTIONS,
    documentStore: new InMemoryLRUCache({ maxSize: DOCUMENTS_BYTES, sizeCalculation: bytesOfDocument }),
    persistedQueries: { cache: new InMemoryLRUCache({ maxSize: PERSISTED_BYTES }), ttl: 3_600 },
    // Apollo's own logger prints whole errors; only Sluice's may, because it redacts credentials.
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (text: string) => apollo.warn('graphql_server_warning', {}, text),
      error: (text: string) => apollo.error('graphql_server_error', {}, text),
    },
    stringifyResult: answers.stringify,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      requestPlugin(answers, settings.GRAPHQL_DOCUMENT_BYTES),
      introspectionPlugin(answers),
    ],
  });
}
