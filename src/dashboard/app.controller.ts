import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiKeyService } from '../api-key/index.js';
import { CurrentVisitor, PageSession, type Visitor } from '../auth/index.js';
import { AppService, type ConnectedApp } from '../oauth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form, type Html, type ShellFrame } from '../page/index.js';
import { AppPages } from './app-pages.js';
import { appGonePage, paths, REVOKE_KEYS } from './view/index.js';

/** `/dashboard/apps`: the connected apps of a person. */
@PageController('dashboard/apps')
@PageSession()
export class AppController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly apps: AppService,
    private readonly keys: ApiKeyService,
    private readonly view: AppPages,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.view.upToDate();
    await this.renderer.send(reply, visitor, (frame) => this.view.list(frame, visitor.user.id, query['disconnected']));
  }

  @Get(':id')
  async app(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.show(id, visitor, reply, (frame, userId, app) => this.view.app(frame, userId, app));
  }

  @Get(':id/disconnect')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.show(id, visitor, reply, (frame, userId, app) => this.view.disconnect(frame, userId, app));
  }

  @Post(':id/disconnect')
  async disconnect(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // The app first: after that it cannot create more keys.
    await this.apps.revoke(visitor.user.id, id);
    if (form.text(REVOKE_KEYS) !== '') await this.keys.revokeMadeBy(id, visitor.user.id);
    seeOther(reply, `${paths.apps}?disconnected=${encodeURIComponent(id)}`);
  }

  /** Sends a page about one app, while it is connected. */
  private async show(
    id: string,
    visitor: Visitor,
    reply: FastifyReply,
    draw: (frame: ShellFrame, userId: string, app: ConnectedApp) => Promise<Html>,
  ): Promise<void> {
    await this.view.upToDate();
    const app = await this.apps.find(visitor.user.id, id);
    if (app) await this.renderer.send(reply, visitor, (frame) => draw(frame, visitor.user.id, app));
    else await this.renderer.send(reply, visitor, (frame) => appGonePage({ frame }), { status: 404 });
  }
}
