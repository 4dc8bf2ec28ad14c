import { Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../edge/page/index.js';
import { FlashCookie } from '../../access/signin/index.js';
import type { ReplayOutcome } from '../../money/webhook/index.js';
import { paths } from '../paths.js';
import { webhookPage, webhookSecretPage } from './webhook.view.js';
import { WebhooksPageService } from './webhooks.service.js';
import { deleteWebhookPage, webhookNewPage, webhooksPage } from './webhooks.view.js';

const REPLAY_OUTCOMES: readonly ReplayOutcome[] = ['replayed', 'waiting', 'too_many', 'not_found'];

@PageController('dashboard/webhooks')
@PageSession()
export class WebhooksController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: WebhooksPageService,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const endpoints = await this.service.list(visitor.user.id);
    await this.renderer.send(reply, visitor, (frame) => webhooksPage({ frame, endpoints, isDeleted: query['deleted'] !== undefined }));
  }

  @Get('new')
  async form(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.renderer.send(reply, visitor, (frame) => webhookNewPage({ frame, url: '', error: null }));
  }

  @Post()
  async add(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const url = form.text('url').trim();
    const outcome = await this.service.add(visitor.user.id, url);
    if (outcome.kind !== 'added')
      return this.renderer.send(reply, visitor, (frame) => webhookNewPage({ frame, url, error: outcome }), { status: 422 });
    this.showSecret(reply, outcome.id, outcome.secret);
  }

  @Get(':id')
  async endpoint(
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @CurrentVisitor() visitor: Visitor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.service.find(visitor.user.id, id);
    const deliveries = await this.service.deliveries(visitor.user.id, id);
    const replay = REPLAY_OUTCOMES.find((outcome) => outcome === query['replay']) ?? null;
    await this.renderer.send(reply, visitor, (frame) => webhookPage({ frame, endpoint, deliveries, replay }));
  }

  @Get(':id/secret')
  async secret(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = await this.service.find(visitor.user.id, id);
    const secret = this.flash.take(request, reply, paths.webhookSecret(id));
    await this.renderer.send(reply, visitor, (frame) => webhookSecretPage({ frame, endpoint, secret }));
  }

  @Post(':id/rotate')
  async rotate(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    this.showSecret(reply, id, await this.service.rotate(visitor.user.id, id));
  }

  @Post(':id/deliveries/:delivery/replay')
  async replay(
    @Param('id') id: string,
    @Param('delivery') delivery: string,
    @CurrentVisitor() visitor: Visitor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.service.find(visitor.user.id, id);
    const outcome = await this.service.replay(visitor.user.id, delivery);
    seeOther(reply, `${paths.webhook(id)}?replay=${outcome}`);
  }

  @Get(':id/delete')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const endpoint = await this.service.find(visitor.user.id, id);
    await this.renderer.send(reply, visitor, (frame) => deleteWebhookPage({ frame, endpoint }));
  }

  @Post(':id/delete')
  async delete(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.service.delete(visitor.user.id, id);
    seeOther(reply, `${paths.webhooks}?deleted`);
  }

  private showSecret(reply: FastifyReply, id: string, secret: string): void {
    this.flash.keep(reply, paths.webhookSecret(id), secret);
    seeOther(reply, paths.webhookSecret(id));
  }
}
