import { Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getOperationAST,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionArgs,
  type OperationDefinitionNode,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import {
  GraphqlSettings,
  bytesOfDocument,
  faultOfText,
  isLong,
  limitRule,
  takeThreadTurn,
  coerceVariables,
  VALIDATION_OPTIONS,
  type ErrorCode,
} from '../graphql/index.js';
import type { Work } from '../http/index.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';

/** Strangers may send any document, so the limit is in bytes. */
const MAX_KEPT_BYTES = 16 * 2 ** 20;
const refuse = (message: string, code: ErrorCode): readonly GraphQLError[] => [new GraphQLError(message, { extensions: { code } })];

/** Errors of graphql-js have no code; these are the codes that Apollo returns over HTTP. */
function coded(errors: readonly GraphQLError[], code: ErrorCode): readonly GraphQLError[] {
  for (const { extensions } of errors) extensions['code'] ??= code;
  return errors;
}

/** Variables that the operation does not declare are dropped: the rest is kept until the subscription ends. */
const declared = ({ variableDefinitions = [] }: OperationDefinitionNode, sent: SubscribePayload['variables']): Record<string, unknown> =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable: { name } }) =>
      sent && Object.hasOwn(sent, name.value) ? [[name.value, sent[name.value]]] : [],
    ),
  );

export interface PreparedSubscription {
  readonly args: Omit<ExecutionArgs, 'contextValue'>;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

export type PrepareResult = PreparedSubscription | readonly GraphQLError[];

@Injectable()
export class SubscriptionExecutor {
  private readonly documents = new BoundedMap<string, DocumentNode>(MAX_KEPT_BYTES, bytesOfDocument);

  constructor(
    private readonly schemas: GraphQLSchemaHost,
    private readonly settings: GraphqlSettings,
  ) {}

  /** @returns a promise if the document has to wait for its turn: it is long and not cached */
  prepare(asked: SubscribePayload, work?: Work): PrepareResult | Promise<PrepareResult> {
    const { query } = asked;
    const known = this.documents.get(query);
    if (known) return this.preparedFor(known, asked);
    const fault = faultOfText(query, this.settings.GRAPHQL_DOCUMENT_BYTES);
    if (fault) return [fault];
    let document: DocumentNode;
    try {
      document = parse(query, { maxTokens: this.settings.GRAPHQL_TOKENS });
    } catch (error) {
      return coded([error as GraphQLError], 'GRAPHQL_PARSE_FAILED');
    }
    if (!isLong(this.schemas.schema, document, this.settings.GRAPHQL_DOCUMENT_BYTES)) return this.validated(document, asked);
    return takeThreadTurn(work).then(
      () => this.validated(document, asked),
      (error: unknown) => [error as GraphQLError],
    );
  }

  private validated(document: DocumentNode, asked: SubscribePayload): PrepareResult {
    const rules = [...specifiedRules, limitRule(this.settings)];
    const errors = validate(this.schemas.schema, document, rules, VALIDATION_OPTIONS);
    if (errors.length > 0) return coded(errors, 'GRAPHQL_VALIDATION_FAILED');
    this.documents.set(asked.query, document);
    return this.preparedFor(document, asked);
  }

  private preparedFor(document: DocumentNode, { operationName, variables }: SubscribePayload): PrepareResult {
    const operation = getOperationAST(document, operationName);
    if (!operation) return refuse('Set operationName: the document has zero or several operations', 'OPERATION_RESOLUTION_FAILURE');
    if (operation.operation !== 'subscription') return refuse('Only subscription operations are supported', 'OPERATION_NOT_SUPPORTED');
    const { schema } = this.schemas;
    const understood = coerceVariables(schema, document, operation, variables ?? {});
    if ('fault' in understood) return [understood.fault];
    return {
      operation,
      variables: understood.variables,
      args: { schema, document, operationName, variableValues: declared(operation, variables) },
    };
  }
}
