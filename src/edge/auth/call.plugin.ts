import type { ApolloServerPlugin, GraphQLRequestContextWillSendResponse, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { costOf } from '../graphql/index.js';
import { CredentialUsage } from './credential-usage.js';
import type { GqlContext } from './principal.js';

const MAX_FIELDS = 3;

/** Notes the calls of API keys for the pages of their owners: operation, outcome, cost. */
@Plugin()
export class CallPlugin implements ApolloServerPlugin<GqlContext> {
  private readonly listener: GraphQLRequestListener<GqlContext>;

  constructor({ calls }: CredentialUsage) {
    this.listener = {
      willSendResponse: async (context) => {
        const { principal } = context.contextValue;
        if (principal.kind !== 'api-key') return;
        const { operation } = context;
        calls.called(
          principal.id,
          operation ? fieldsOf(operation) : 'invalid document',
          outcomeOf(context),
          operation ? costOf(operation) : 0,
        );
      },
    };
  }

  async requestDidStart(): Promise<GraphQLRequestListener<GqlContext>> {
    return this.listener;
  }
}

/** Names of the schema alone: neither aliases nor arguments. */
function fieldsOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const names = selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : '…'));
  return [...names.slice(0, MAX_FIELDS), ...(names.length > MAX_FIELDS ? ['…'] : [])].join(', ');
}

interface Payload {
  readonly errors?: readonly { readonly code?: unknown }[];
}

/** The owner sees which permission is missing. */
const outcomeIn = ({ code, scope }: Readonly<Record<string, unknown>> = {}): unknown =>
  code === 'INSUFFICIENT_SCOPE' && typeof scope === 'string' ? `scope:${scope}` : code;

/** The first code: of an error of the response, or of a mutation's payload. */
function outcomeOf({ response: { body } }: GraphQLRequestContextWillSendResponse<GqlContext>): string {
  if (body.kind !== 'single') return 'OK';
  const { errors, data } = body.singleResult;
  const inPayloads = Object.values(data ?? {}).flatMap((payload) => (payload as Payload | null)?.errors ?? []);
  const [code] = [...(errors ?? []).map(({ extensions }) => outcomeIn(extensions)), ...inPayloads.map((error) => error.code)];
  if (typeof code === 'string') return code;
  return (errors?.length ?? 0) + inPayloads.length > 0 ? 'ERROR' : 'OK';
}
