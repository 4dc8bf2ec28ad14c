import { Injectable } from '@nestjs/common';
import { PageError } from '../../edge/page/index.js';
import { AccountService } from '../../money/wallet/index.js';
import {
  WebhookService,
  type EndpointAddOutcome,
  type ReplayOutcome,
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
} from '../../money/webhook/index.js';

@Injectable()
export class WebhooksPageService {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly accounts: AccountService,
  ) {}

  async list(userId: string): Promise<WebhookEndpointRow[]> {
    return this.webhooks.list(await this.accountOf(userId));
  }

  /** @throws PageError unless it is an endpoint of this person */
  async find(userId: string, id: string): Promise<WebhookEndpointRow> {
    const endpoint = await this.webhooks.find(await this.accountOf(userId), id);
    if (!endpoint) throw new PageError({ kind: 'error', error: 'missing' });
    return endpoint;
  }

  async deliveries(userId: string, id: string): Promise<WebhookDeliveryRow[]> {
    return this.webhooks.deliveries(await this.accountOf(userId), id);
  }

  async add(userId: string, url: string): Promise<EndpointAddOutcome> {
    // The API's scalar refuses the same.
    if (!URL.canParse(url) || /\s/.test(url)) return { kind: 'url_refused', reason: 'invalid_url' };
    return this.webhooks.add(await this.accountOf(userId), url);
  }

  /** @returns the new secret @throws PageError unless it is an endpoint of this person */
  async rotate(userId: string, id: string): Promise<string> {
    const outcome = await this.webhooks.rotate(await this.accountOf(userId), id);
    if (outcome.kind === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    return outcome.secret;
  }

  async delete(userId: string, id: string): Promise<void> {
    await this.webhooks.delete(await this.accountOf(userId), id);
  }

  async replay(userId: string, deliveryId: string): Promise<ReplayOutcome> {
    return this.webhooks.replay(await this.accountOf(userId), deliveryId);
  }

  private async accountOf(userId: string): Promise<string> {
    return (await this.accounts.getOfUser(userId)).id;
  }
}
