import { setFlagsFromString } from 'node:v8';
import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestListener, type GraphQLResponse } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  getNamedType,
  getNullableType,
  isListType,
  isValueNode,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type GraphQLScalarType,
  type ValueNode,
} from 'graphql';
import type { compileQuery, CompiledQuery } from 'graphql-jit';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import { Metrics } from '../../platform/metrics/index.js';
import { weightOf } from './document-faults.js';
import { publicError } from './public-error.js';
import { InvalidValue, isLenientScalar } from './scalar.js';

/** A query that has run this often is compiled: compilation takes as long as some executions, and a stream of distinct documents buys none. */
const HOT = 20;
/** The compiler writes the fields of a fragment at each spread. */
const MAX_FIELDS = 200;
/** All compiled queries together have at most these fields, because the code of one takes 2 to 10 KiB. */
const MAX_COMPILED_FIELDS = 4_000;

interface Compiled {
  readonly query: CompiledQuery;
  readonly fields: number;
}

/**
 * graphql-js finds the same fields and types anew for every row, so queries that come often run as compiled code (graphql-jit). Mutations
 * always run on graphql-js.
 */
@Plugin()
export class CompiledQueries implements ApolloServerPlugin<object> {
  private readonly uses = new WeakMap<OperationDefinitionNode, number>();
  private readonly compiled = new BoundedMap<OperationDefinitionNode, Compiled>(MAX_COMPILED_FIELDS, ({ fields }) => fields);
  private compile: typeof compileQuery | undefined;
  private readonly listener: GraphQLRequestListener<object> = {
    responseForOperation: async ({ schema, document, operation: named, request, contextValue }) => {
      const operation = named as OperationDefinitionNode | undefined; // undefined if none has the requested name
      if (operation?.operation !== 'query') return null;
      const compiled = this.compiled.get(operation) ?? this.compileHot(operation, document, schema);
      return compiled ? responseOf(await compiled.query.query(undefined, contextValue, request.variables)) : null;
    },
  };

  constructor(metrics: Metrics) {
    metrics.gauge('sluice_graphql_compiled_queries', 'Queries that run by code compiled for them', () => this.compiled.size);
  }

  async requestDidStart(): Promise<GraphQLRequestListener<object>> {
    return this.listener;
  }

  private compileHot(operation: OperationDefinitionNode, document: DocumentNode, schema: GraphQLSchema): Compiled | undefined {
    const uses = (this.uses.get(operation) ?? 0) + 1;
    this.uses.set(operation, uses);
    if (uses < HOT) return undefined;
    if (!this.compile) {
      this.load();
      return undefined;
    }
    const { fields } = weightOf(document);
    const isCompilable = fields <= MAX_FIELDS && compilesAlike(schema, document);
    const query = isCompilable ? this.compile(schema, document, operation.name?.value) : undefined;
    if (!query || !('query' in query)) {
      this.uses.set(operation, -Infinity);
      return undefined;
    }
    this.uses.set(operation, 0);
    const compiled = { query, fields };
    this.compiled.set(operation, compiled);
    return compiled;
  }

  /** The compiler is large, and most commands and tests need none. */
  private load(): void {
    // V8 would keep the code of every query that was ever compiled until the heap is full. Nothing else here compiles one source twice.
    setFlagsFromString('--no-compilation-cache');
    void import('graphql-jit').then(({ compileQuery: compile }) => (this.compile = compile));
  }
}

function responseOf({ data, errors }: ExecutionResult): GraphQLResponse {
  const http = { status: undefined as number | undefined, headers: new HeaderMap() };
  const singleResult = { ...(errors && { errors: errors.map((error) => formatted(error, http)) }), ...(data !== undefined && { data }) };
  return { body: { kind: 'single', singleResult }, http };
}

/** Without an original error it is the compiler's: a resolver returned a value that its type does not have, and the text may quote it. */
function formatted(error: GraphQLError, http: { status: number | undefined; headers: HeaderMap }): ReturnType<typeof publicError> {
  const { http: wanted, ...extensions } = (error.extensions ?? {}) as Extensions;
  if (wanted?.status !== undefined) http.status = wanted.status;
  for (const [name, value] of wanted?.headers ?? []) http.headers.set(name, value);
  return publicError(
    { ...error.toJSON(), extensions: { ...extensions, code: extensions.code ?? 'INTERNAL_SERVER_ERROR' } },
    error.originalError ? error : new Error(error.message),
  );
}

interface Extensions {
  readonly code?: unknown;
  readonly http?: { readonly status?: number; readonly headers?: ReadonlyMap<string, string> };
}

/**
 * The compiler differs from graphql-js in three places. It writes literals into the code as JSON, which has no {@link InvalidValue}. It looks
 * up variables, and writes fields, in plain objects: it finds `toString` in each of them, and `__proto__` is no field. And it stores the
 * conditions of a field in the document, so that a fragment spread twice takes the conditions of both.
 */
function compilesAlike(schema: GraphQLSchema, document: DocumentNode): boolean {
  const info = new TypeInfo(schema);
  let [isAlike, hasConditions, hasFragments] = [true, false, false];
  const enter = (node: ASTNode): void => {
    if (isValueNode(node)) isAlike &&= !isInvalidLiteral(node, info);
    else if (node.kind === Kind.VARIABLE_DEFINITION) isAlike &&= !(node.variable.name.value in Object.prototype);
    else if (node.kind === Kind.FIELD) isAlike &&= node.alias?.value !== '__proto__';
    else if (node.kind === Kind.DIRECTIVE) hasConditions ||= ['skip', 'include'].includes(node.name.value);
    else hasFragments ||= node.kind === Kind.FRAGMENT_SPREAD;
  };
  visit(document, visitWithTypeInfo(info, { enter }));
  return isAlike && !(hasConditions && hasFragments);
}

function isInvalidLiteral(node: ValueNode, info: TypeInfo): boolean {
  if (node.kind === Kind.VARIABLE || node.kind === Kind.NULL) return false;
  const expected = getNullableType(info.getInputType());
  // One value stands for a list of one.
  const type = isListType(expected) && node.kind !== Kind.LIST ? getNamedType(expected) : expected;
  return isLenientScalar(type) && (type as GraphQLScalarType).parseLiteral(node) instanceof InvalidValue;
}
