import { Args, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentCall, SessionOnly, userIdOf, type Call, type GqlContext, type Principal } from '../../edge/auth/index.js';
import { Attempts } from '../../edge/idempotency/index.js';
import type { CallbackDeliveryReplayInput, CallbackEndpointAddInput, CallbackEndpointDeleteInput } from '../../generated/graphql.js';
import type { Implements, Result, ErrorCode, Problem } from '../../edge/graphql/index.js';
import { AccountService, type AccountRow } from '../wallet/index.js';
import {
  URL_REFUSALS,
  type WebhookEndpointRow,
  WebhookService,
  type EndpointAddOutcome,
  type ReplayOutcome,
  type WebhookDeliveryRow,
} from './webhook.service.js';

const failed = (message: string, code: ErrorCode, path: readonly string[]): { errors: Problem[] } => ({
  errors: [{ message, code, path }],
});

function additionPayload(outcome: EndpointAddOutcome): Result<'Mutation', 'callbackEndpointAdd'> {
  if (outcome.kind === 'added') return { errors: [], id: outcome.id, signingSecret: outcome.secret };
  const refusal =
    outcome.kind === 'url_refused'
      ? failed(URL_REFUSALS[outcome.reason], 'ENDPOINT_URL_REFUSED', ['input', 'url'])
      : failed(`You have ${outcome.limit} endpoints, which is the limit. Delete one first.`, 'INVALID_INPUT', ['input']);
  return { ...refusal, id: null, signingSecret: null };
}

const REPLAY_REFUSALS: Readonly<Record<Exclude<ReplayOutcome, 'replayed'>, ReturnType<typeof failed>>> = {
  not_found: failed('Delivery not found', 'NOT_FOUND', ['input', 'id']),
  waiting: failed('The delivery is being sent now', 'INVALID_INPUT', ['input', 'id']),
  too_many: failed('Too many deliveries of this endpoint wait. Try again later.', 'INVALID_INPUT', ['input', 'id']),
};

const replayPayload = (outcome: ReplayOutcome): Result<'Mutation', 'callbackDeliveryReplay'> =>
  outcome === 'replayed' ? { errors: [], success: true } : { ...REPLAY_REFUSALS[outcome], success: false };

const deletionPayload = (success: boolean): Result<'Mutation', 'callbackEndpointDelete'> => ({
  ...(success ? { errors: [] } : failed('Endpoint not found', 'NOT_FOUND', ['input', 'id'])),
  success,
});

const STATES = { waiting: 'WAITING', delivered: 'DELIVERED', failed: 'FAILED' } as const;

const deliveryPayload = ({ nextAt, state, ...row }: WebhookDeliveryRow): Result<'CallbackEndpoint', 'deliveries'>[number] => ({
  ...row,
  nextAttemptAt: nextAt,
  state: STATES[state],
});

/** A key that manages webhooks sees its own only; any other credential that gets so far sees those of the account. */
const keyOf = ({ kind, id, managesCallbacks }: Principal): string | null => (kind === 'api-key' && managesCallbacks ? id : null);

@Resolver()
export class WebhookMutationResolver implements Implements<
  'Mutation',
  'callbackDeliveryReplay' | 'callbackEndpointAdd' | 'callbackEndpointDelete'
> {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly accounts: AccountService,
    private readonly attempts: Attempts,
  ) {}

  @Mutation()
  @SessionOnly()
  async callbackDeliveryReplay(
    @Args('input') input: CallbackDeliveryReplayInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'callbackDeliveryReplay'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    return this.attempts.once(
      attempt,
      async (tx) => replayPayload(await this.webhooks.replay(id, input.id, tx)),
      () => replayPayload('replayed'),
    );
  }

  @Mutation()
  @SessionOnly({ orTrustedApp: true, forCallbacks: true })
  async callbackEndpointAdd(
    @Args('input') input: CallbackEndpointAddInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'callbackEndpointAdd'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    const refusal = await this.webhooks.refusalOf(id, input.url);
    return this.attempts.once(attempt, async (tx) =>
      additionPayload(refusal ?? (await this.webhooks.add(id, input.url, keyOf(principal), tx))),
    );
  }

  @Mutation()
  @SessionOnly({ orTrustedApp: true, forCallbacks: true })
  async callbackEndpointDelete(
    @Args('input') input: CallbackEndpointDeleteInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'callbackEndpointDelete'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    return this.attempts.once(
      attempt,
      async (tx) => deletionPayload(await this.webhooks.delete(id, input.id, keyOf(principal), tx)),
      () => deletionPayload(true),
    );
  }
}

@Resolver('ConsumerAccount')
export class AccountWebhooksResolver implements Implements<'ConsumerAccount', 'callbackEndpoints' | 'callbackPortalUrl'> {
  constructor(private readonly webhooks: WebhookService) {}

  @ResolveField()
  callbackEndpoints(
    { id }: AccountRow,
    _args: unknown,
    { principal }: GqlContext,
  ): Promise<Result<'ConsumerAccount', 'callbackEndpoints'>> {
    return this.webhooks.list(id, keyOf(principal));
  }

  @ResolveField()
  callbackPortalUrl(): Result<'ConsumerAccount', 'callbackPortalUrl'> {
    return this.webhooks.portalUrl;
  }
}

@Resolver('CallbackEndpoint')
export class EndpointDeliveriesResolver implements Implements<'CallbackEndpoint', 'deliveries'> {
  constructor(private readonly webhooks: WebhookService) {}

  @ResolveField()
  async deliveries({ id }: WebhookEndpointRow): Promise<Result<'CallbackEndpoint', 'deliveries'>> {
    return (await this.webhooks.deliveriesOf(id)).map(deliveryPayload);
  }
}
