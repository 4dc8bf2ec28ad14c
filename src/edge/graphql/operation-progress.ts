import type { GraphQLRequestContextWillSendResponse } from '@apollo/server';
import { defaultFieldResolver, responsePathAsArray, type GraphQLField, type GraphQLSchema, type ResponsePath } from 'graphql';
import { RETRY_AFTER } from '../http/index.js';

export class OperationProgress {
  private begun = 0;
  private isUndone = false;
  /** Ids of payments of which it is not confirmed that they began, by the path of their field: they go into the response's `extensions`. */
  unconfirmedTransactionIds: Readonly<Record<string, string>> | undefined;

  /** A person decides on something of it: a repeat under the same key gets the decision. */
  isOpen = false;

  noteOpen(): void {
    this.isOpen = true;
  }

  begin(): void {
    this.begun++;
  }

  get isFirst(): boolean {
    return this.begun <= 1;
  }

  /** The first field of the mutation has failed, and certainly had no effect. */
  undo(): void {
    this.isUndone = this.begun === 1;
  }

  /** Nothing has taken effect: a client that looks at the status alone may repeat the whole request. */
  get mayRepeat(): boolean {
    return this.begun === 0 || (this.begun === 1 && this.isUndone);
  }

  addUnconfirmed(path: ResponsePath, transactionId: string): void {
    this.unconfirmedTransactionIds = { ...this.unconfirmedTransactionIds, [responsePathAsArray(path).join('.')]: transactionId };
  }
}

export interface WithProgress {
  readonly progress?: OperationProgress;
}

export function noteProgress(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}) as GraphQLField<unknown, WithProgress>[]) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (parent, args, context, info) => {
      context.progress?.begin();
      return resolve(parent, args, context, info);
    };
  }
  return schema;
}

const SERVICE_UNAVAILABLE = 'SERVICE_UNAVAILABLE';

export function writeProgress({
  contextValue: { progress },
  response: { body, http },
}: GraphQLRequestContextWillSendResponse<WithProgress>): void {
  if (body.kind !== 'single') return;
  const { singleResult } = body;
  const ids = progress?.unconfirmedTransactionIds;
  if (ids) singleResult.extensions = { ...singleResult.extensions, unconfirmedTransactionIds: ids };
  // A response with data is 200, even if one of its errors asks for another status.
  if ('data' in singleResult) http.status = 200;
  if (!singleResult.errors?.some(({ extensions }) => extensions?.['code'] === SERVICE_UNAVAILABLE)) return;
  // 503 makes clients repeat the whole request, including the fields that have already taken effect.
  http.status = progress?.mayRepeat === false ? 200 : 503;
  if (http.status === 503 && !http.headers.has('retry-after')) http.headers.set('retry-after', String(RETRY_AFTER.outage));
}
