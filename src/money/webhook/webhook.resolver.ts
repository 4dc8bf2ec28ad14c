import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { SessionOnly, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import type {
  MutationCallbackDeliveryReplayArgs,
  MutationCallbackEndpointAddArgs,
  MutationCallbackEndpointDeleteArgs,
} from '../../generated/graphql.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { AccountService, type AccountRow } from '../wallet/index.js';
import { additionPayload, deletionPayload, deliveryPayload, replayPayload } from './webhook.payload.js';
import type { WebhookEndpointRow } from './webhook.row.js';
import { WebhookService } from './webhook.service.js';

@Resolver()
export class WebhookMutationResolver implements Implements<
  'Mutation',
  'callbackDeliveryReplay' | 'callbackEndpointAdd' | 'callbackEndpointDelete'
> {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly accounts: AccountService,
  ) {}

  @Mutation()
  @SessionOnly()
  async callbackDeliveryReplay(
    @Args() { input }: MutationCallbackDeliveryReplayArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'callbackDeliveryReplay'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    return replayPayload(await this.webhooks.replay(id, input.id));
  }

  @Mutation()
  @SessionOnly()
  async callbackEndpointAdd(
    @Args() { input }: MutationCallbackEndpointAddArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'callbackEndpointAdd'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    return additionPayload(await this.webhooks.add(id, input.url));
  }

  @Mutation()
  @SessionOnly()
  async callbackEndpointDelete(
    @Args() { input }: MutationCallbackEndpointDeleteArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'callbackEndpointDelete'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    return deletionPayload(await this.webhooks.delete(id, input.id));
  }
}

@Resolver('ConsumerAccount')
export class AccountWebhooksResolver implements Implements<'ConsumerAccount', 'callbackEndpoints' | 'callbackPortalUrl'> {
  constructor(private readonly webhooks: WebhookService) {}

  @ResolveField()
  callbackEndpoints({ id }: AccountRow): Promise<Result<'ConsumerAccount', 'callbackEndpoints'>> {
    return this.webhooks.list(id);
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
