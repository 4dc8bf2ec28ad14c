import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { SessionOnly, userIdOf, type GqlContext } from '../auth/index.js';
import type { Implements, Result } from '../graphql/index.js';
import { AccountService, type AccountRow } from '../wallet/index.js';
import { EndpointAddArgs, EndpointDeleteArgs } from './webhook.input.js';
import { additionPayload, deletionPayload } from './webhook.payload.js';
import { WebhookService } from './webhook.service.js';

@Resolver()
export class WebhookMutationResolver implements Implements<'Mutation', 'callbackEndpointAdd' | 'callbackEndpointDelete'> {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly accounts: AccountService,
  ) {}

  @Mutation()
  @SessionOnly()
  async callbackEndpointAdd(
    @Args() { input }: EndpointAddArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'callbackEndpointAdd'>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    return additionPayload(await this.webhooks.add(id, input.url));
  }

  @Mutation()
  @SessionOnly()
  async callbackEndpointDelete(
    @Args() { input }: EndpointDeleteArgs,
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
