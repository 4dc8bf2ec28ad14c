import type { GraphQLRequestContextWillSendResponse } from '@apollo/server';
import { defaultFieldResolver, responsePathAsArray, type GraphQLField, type GraphQLSchema, type ResponsePath } from 'graphql';

/** How far one operation has come. */
export class OperationProgress {
  /** Fields of a mutation's root whose work has begun. They run one after another. */
  private begun = 0;
  private isUndone = false;
  private unconfirmed: Record<string, string> | undefined;

  begin(): void {
    this.begun++;
  }

  /** No field of the mutation has begun before the one that runs now. */
  get isFirst(): boolean {
    return this.begun <= 1;
  }

  /** The first field of the mutation has failed, and has certainly done nothing. */
  undo(): void {
    this.isUndone = this.begun === 1;
  }

  /** Nothing has happened: the whole request may be sent again, by a client that looks at nothing but the status. */
  get mayRepeat(): boolean {
    return this.begun === 0 || (this.begun === 1 && this.isUndone);
  }

  /** The payment that this field answers with is not known to have begun: its id goes into the answer's `extensions`. */
  tellUnconfirmed(path: ResponsePath, transactionId: string): void {
    this.unconfirmed ??= {};
    this.unconfirmed[responsePathAsArray(path).join('.')] = transactionId;
  }

  /** Transaction ids by field path; undefined when there are none. */
  get unconfirmedTransactionIds(): Readonly<Record<string, string>> | undefined {
    return this.unconfirmed;
  }
}

export interface WithProgress {
  readonly progress?: OperationProgress;
}

/** Each field of the mutation's root notes that it has begun. */
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

const RETRY_SECONDS = '2';
const SERVICE_UNAVAILABLE = 'SERVICE_UNAVAILABLE';

/** Writes into the answer which payments are not known to have begun, and gives an outage its status. */
export function tellProgress({
  contextValue: { progress },
  response: { body, http },
}: GraphQLRequestContextWillSendResponse<WithProgress>): void {
  if (body.kind !== 'single') return;
  const { singleResult } = body;
  const ids = progress?.unconfirmedTransactionIds;
  if (ids) singleResult.extensions = { ...singleResult.extensions, unconfirmedTransactionIds: ids };
  // What was executed is answered 200, whatever an error of it asks for.
  if ('data' in singleResult) http.status = 200;
  if (!singleResult.errors?.some(({ extensions }) => extensions?.['code'] === SERVICE_UNAVAILABLE)) return;
  // 503 makes clients send the whole request again, the fields that were carried out among the rest.
  http.status = progress?.mayRepeat === false ? 200 : 503;
  if (http.status === 503 && !http.headers.has('retry-after')) http.headers.set('retry-after', RETRY_SECONDS);
}
