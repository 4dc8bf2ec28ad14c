import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import type { ConnectedApp } from '../../access/oauth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form, type Html, type ShellFrame } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { AppLimitsPageService } from './app-limits.service.js';
import { appGonePage, appPage, disconnectAppPage, REVOKE_KEYS } from './app.view.js';
import { AppsPageService } from './apps.service.js';
import { appsPage } from './apps.view.js';

@PageController('dashboard/apps')
@PageSession()
export class AppsController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: AppsPageService,
    private readonly limits: AppLimitsPageService,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const model = await this.service.list(visitor.user.id, query['disconnected']);
    const limits = await this.limits.limitsOf(visitor.user.id, model.apps);
    await this.renderer.send(reply, visitor, (frame) => appsPage({ ...model, limits, frame }));
  }

  @Get(':id')
  async app(
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @CurrentVisitor() visitor: Visitor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isSaved = query['limits'] === 'saved';
    await this.show(id, visitor, reply, async (app, frame) => {
      const payments = await this.service.payments(visitor.user.id, app);
      return appPage({ frame, app, payments, budget: await this.limits.load(visitor.user.id, id), isSaved });
    });
  }

  @Get(':id/disconnect')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.show(id, visitor, reply, async (app, frame) => {
      const keys = await this.service.keysOf(visitor.user.id, app);
      const hasLimits = (await this.limits.limitsOf(visitor.user.id, [app])).size > 0;
      return disconnectAppPage({ frame, app, keys, hasLimits });
    });
  }

  @Post(':id/disconnect')
  async disconnect(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.service.disconnect(visitor.user.id, id, { revokeKeys: form.text(REVOKE_KEYS) !== '' });
    seeOther(reply, `${paths.apps}?disconnected=${encodeURIComponent(id)}`);
  }

  private async show(
    id: string,
    visitor: Visitor,
    reply: FastifyReply,
    draw: (app: ConnectedApp, frame: ShellFrame) => Promise<Html>,
  ): Promise<void> {
    const app = await this.service.find(visitor.user.id, id);
    if (app) await this.renderer.send(reply, visitor, (frame) => draw(app, frame));
    else await this.renderer.send(reply, visitor, (frame) => appGonePage({ frame }), { status: 404 });
  }
}
