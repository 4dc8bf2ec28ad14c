import type { ApolloServerPlugin } from '@apollo/server';
import { defaultFieldResolver, responsePathAsArray, type GraphQLField, type GraphQLSchema, type ResponsePath } from 'graphql';

/** How far one operation has come. */
export class OperationProgress {
  /** Fields of a mutation's root whose work has begun. They run one after another. */
  private begun = 0;
  private unconfirmed: Record<string, string> | undefined;

  begin(): void {
    this.begun++;
  }

  /** No field of the mutation has begun before the one that runs now. */
  get isFirst(): boolean {
    return this.begun <= 1;
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

/** Writes into the answer which payments are not known to have begun. */
export const unconfirmedPlugin: ApolloServerPlugin<WithProgress> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ contextValue: { progress }, response: { body } }) => {
      const ids = progress?.unconfirmedTransactionIds;
      if (!ids || body.kind !== 'single') return;
      body.singleResult.extensions = { ...body.singleResult.extensions, unconfirmedTransactionIds: ids };
    },
  }),
};
