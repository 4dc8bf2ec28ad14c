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
import { Config } from '../config/index.js';
import { limitRule } from '../graphql/index.js';

const DOCUMENTS_KEPT = 500;
const refuse = (message: string, code: string): readonly GraphQLError[] => [new GraphQLError(message, { extensions: { code } })];

export interface Plan {
  readonly args: Omit<ExecutionArgs, 'contextValue'>;
  readonly operation: OperationDefinitionNode;
}

/** Parses and validates what a socket asks for, through a small cache. Only subscriptions are served here. */
@Injectable()
export class SubscriptionPlanner {
  private readonly documents = new Map<string, DocumentNode>();

  constructor(
    private readonly schemas: GraphQLSchemaHost,
    private readonly config: Config,
  ) {}

  plan({ query, operationName, variables }: SubscribePayload): Plan | readonly GraphQLError[] {
    const document = this.documentOf(query);
    if (Array.isArray(document)) return document as readonly GraphQLError[];
    const operation = getOperationAST(document as DocumentNode, operationName);
    if (!operation) return refuse('Which operation? The document names none, or several', 'OPERATION_RESOLUTION_FAILURE');
    if (operation.operation !== 'subscription') return refuse('Only subscription operations are supported', 'OPERATION_NOT_SUPPORTED');
    return {
      operation,
      args: { schema: this.schemas.schema, document: document as DocumentNode, operationName, variableValues: variables },
    };
  }

  private documentOf(query: string): DocumentNode | readonly GraphQLError[] {
    const known = this.documents.get(query);
    if (known) return known;
    const { documentBytes, tokens } = this.config.graphql;
    if (Buffer.byteLength(query) > documentBytes) return refuse(`The document is longer than ${documentBytes} bytes`, 'QUERY_TOO_COMPLEX');
    let document: DocumentNode;
    try {
      document = parse(query, { maxTokens: tokens });
    } catch (error) {
      return [error as GraphQLError];
    }
    const errors = validate(this.schemas.schema, document, [...specifiedRules, limitRule(this.config.graphql)]);
    if (errors.length > 0) return errors;
    if (this.documents.size >= DOCUMENTS_KEPT) this.documents.delete(this.documents.keys().next().value ?? '');
    this.documents.set(query, document);
    return document;
  }
}
