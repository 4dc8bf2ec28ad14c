import { Args, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentCall, SessionOnly, userIdOf, type Call, type GqlContext, type Principal } from '../../edge/auth/index.js';
import { Config } from '../../platform/config/index.js';
import { Attempts } from '../../edge/idempotency/index.js';
import type { CallbackDeliveryReplayInput, CallbackEndpointAddInput, CallbackEndpointDeleteInput } from '../../generated/graphql.js';
import { InvalidInput, type Implements, type Result, type ErrorCode, type Problem } from '../../edge/graphql/index.js';
import { AccountService, type AccountRow } from '../wallet/index.js';
import {
  MAX_ENDPOINTS,
  URL_REFUSALS,
  type WebhookEndpointRow,
  WebhookService,
  type EndpointAddOutcome,
  type ReplayOutcome,
} from './webhook.service.js';

function additionPayload(outcome: EndpointAddOutcome): Result<'Mutation', 'callbackEndpointAdd'> {
  switch (outcome.kind) {
    case 'added':
      return { errors: [], id: outcome.id, signingSecret: outcome.secret };
    case 'refused':
      throw InvalidInput.of(URL_REFUSALS[outcome.reason], 'ENDPOINT_URL_REFUSED', ['input', 'url']);
    case 'too_many':
      throw InvalidInput.of(`You have ${MAX_ENDPOINTS} endpoints, which is the limit. Delete one first.`, 'INVALID_INPUT', ['input']);
  }
}

const DONE = { errors: [], success: true };
const failed = (code: ErrorCode, message: string): { errors: Problem[]; success: false } => ({
  errors: [{ message, code, path: ['input', 'id'] }],
  success: false,
});

const REPLAYS: Readonly<Record<ReplayOutcome, Result<'Mutation', 'callbackDeliveryReplay'>>> = {
  replayed: DONE,
  not_found: failed('NOT_FOUND', 'Delivery not found'),
  waiting: failed('INVALID_INPUT', 'The delivery is being sent now'),
  too_many: failed('INVALID_INPUT', 'Too many deliveries of this endpoint wait. Try again later.'),
};
const NO_ENDPOINT = failed('NOT_FOUND', 'Endpoint not found');

const STATES = { waiting: 'WAITING', delivered: 'DELIVERED', failed: 'FAILED' } as const;

/** A key that manages webhooks sees its own only; any other credential that gets so far sees those of the account. */
const keyOf = ({ kind, id, managesCallbacks }: Principal): string | null => (kind === 'api-key' && managesCallbacks ? id : null);

@Resolver('ConsumerAccount')
export class AccountWebhooksResolver
  implements
    Implements<'Mutation', 'callbackDeliveryReplay' | 'callbackEndpointAdd' | 'callbackEndpointDelete'>,
    Implements<'ConsumerAccount', 'callbackEndpoints' | 'callbackPortalUrl'>
{
  constructor(
    private readonly webhooks: WebhookService,
    private readonly accounts: AccountService,
    private readonly attempts: Attempts,
    private readonly config: Config,
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
      async (tx) => REPLAYS[await this.webhooks.replay(id, input.id, tx)],
      () => DONE,
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
    await this.webhooks.deleteDeliveries(id, input.id, keyOf(principal));
    return this.attempts.once(
      attempt,
      async (tx) => ((await this.webhooks.delete(id, input.id, keyOf(principal), tx)) ? DONE : NO_ENDPOINT),
      () => DONE,
    );
  }

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
    return `${this.config.publicUrl}/dashboard/webhooks`;
  }
}

@Resolver('CallbackEndpoint')
export class EndpointDeliveriesResolver implements Implements<'CallbackEndpoint', 'deliveries'> {
  constructor(private readonly webhooks: WebhookService) {}

  @ResolveField()
  async deliveries({ id }: WebhookEndpointRow): Promise<Result<'CallbackEndpoint', 'deliveries'>> {
    return (await this.webhooks.deliveriesOf(id)).map((delivery) => ({ ...delivery, state: STATES[delivery.state] }));
  }
}
