import { Get, Param, Post, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageError, PageForm, type Form } from '../../edge/page/index.js';
import { FlashCookie } from '../../access/signin/index.js';
import { AccountService } from '../../money/wallet/index.js';
import { WebhookService, type ReplayOutcome, type WebhookEndpointRow } from '../../money/webhook/index.js';
import { paths } from '../paths.js';
import { DashboardPages, Reply, type Answer, type Redirect, type Screen } from '../screen.js';
import { webhookPage, webhookSecretPage, deleteWebhookPage, webhookNewPage, webhooksPage } from './webhook.view.js';

const REPLAY_OUTCOMES: readonly ReplayOutcome[] = ['replayed', 'waiting', 'too_many', 'not_found'];

@DashboardPages('/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly accounts: AccountService,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  async list(@Query('deleted') deleted: unknown, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const endpoints = await this.webhooks.list(await this.accountOf(visitor));
    return { draw: (frame) => webhooksPage(frame, endpoints, deleted !== undefined) };
  }

  @Get('new')
  form(): Screen {
    return { draw: (frame) => webhookNewPage(frame, '', null) };
  }

  @Post()
  async add(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Reply() reply: FastifyReply): Promise<Answer> {
    const url = form.text('url').trim();
    const accountId = await this.accountOf(visitor);
    const outcome = (await this.webhooks.refusalOf(accountId, url)) ?? (await this.webhooks.add(accountId, url));
    if (outcome.kind === 'added') return this.flash.show(reply, paths.webhookSecret(outcome.id), outcome.secret);
    return { draw: (frame) => webhookNewPage(frame, url, outcome), status: 422 };
  }

  @Get(':id')
  async endpoint(@Param('id') id: string, @Query('replay') replayed: unknown, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const endpoint = await this.find(visitor, id);
    const deliveries = await this.webhooks.deliveriesOf(endpoint.id);
    const replay = REPLAY_OUTCOMES.find((outcome) => outcome === replayed) ?? null;
    return { draw: (frame) => webhookPage({ frame, endpoint, deliveries, replay }) };
  }

  @Get(':id/secret')
  async secret(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Screen> {
    const endpoint = await this.find(visitor, id);
    const secret = this.flash.take(reply, paths.webhookSecret(id));
    return { draw: (frame) => webhookSecretPage(frame, endpoint, secret) };
  }

  @Post(':id/rotate')
  async rotate(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    const secret = await this.webhooks.rotate(await this.accountOf(visitor), id);
    if (secret === null) throw new PageError({ kind: 'error', error: 'missing' });
    return this.flash.show(reply, paths.webhookSecret(id), secret);
  }

  @Post(':id/enable')
  async enable(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Redirect> {
    if (!(await this.webhooks.enable(await this.accountOf(visitor), id))) throw new PageError({ kind: 'error', error: 'missing' });
    return { seeOther: paths.webhook(id) };
  }

  @Post(':id/test')
  async test(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Redirect> {
    const outcome = await this.webhooks.sendTest(await this.accountOf(visitor), id);
    if (outcome === 'not_found') throw new PageError({ kind: 'error', error: 'missing' });
    return { seeOther: `${paths.webhook(id)}?replay=${outcome}` };
  }

  @Post(':id/deliveries/:delivery/replay')
  async replay(@Param('id') id: string, @Param('delivery') delivery: string, @CurrentVisitor() visitor: Visitor): Promise<Redirect> {
    await this.find(visitor, id);
    const outcome = await this.webhooks.replay(await this.accountOf(visitor), delivery);
    return { seeOther: `${paths.webhook(id)}?replay=${outcome}` };
  }

  @Get(':id/delete')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const endpoint = await this.find(visitor, id);
    return { draw: (frame) => deleteWebhookPage(frame, endpoint) };
  }

  @Post(':id/delete')
  async delete(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Redirect> {
    const accountId = await this.accountOf(visitor);
    await this.webhooks.deleteDeliveries(accountId, id);
    await this.webhooks.delete(accountId, id);
    return { seeOther: `${paths.webhooks}?deleted` };
  }

  /** @throws PageError unless it is an endpoint of this person */
  private async find(visitor: Visitor, id: string): Promise<WebhookEndpointRow> {
    const endpoint = await this.webhooks.find(await this.accountOf(visitor), id);
    if (!endpoint) throw new PageError({ kind: 'error', error: 'missing' });
    return endpoint;
  }

  private async accountOf({ user }: Visitor): Promise<string> {
    return (await this.accounts.getOfUser(user.id)).id;
  }
}
