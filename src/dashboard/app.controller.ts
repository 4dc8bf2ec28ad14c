import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService } from '../api-key/index.js';
import { Public } from '../auth/index.js';
import { AppService, type ConnectedApp } from '../oauth/index.js';
import type { Html, ShellFrame } from '../page/index.js';
import { AppPages } from './app-pages.js';
import { PageAuthenticator } from './page-authenticator.js';
import { PageFilter } from './page.filter.js';
import { seeOther, PageRenderer } from './page-renderer.js';
import { appGonePage, paths, REVOKE_KEYS } from './view/index.js';

/** `/dashboard/apps`: the connected apps of a person. */
@Controller('dashboard/apps')
@UseFilters(PageFilter)
export class AppController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly renderer: PageRenderer,
    private readonly apps: AppService,
    private readonly keys: ApiKeyService,
    private readonly view: AppPages,
  ) {}

  @Get()
  @Public()
  async list(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    await this.view.upToDate();
    await this.renderer.send(reply, visitor, (frame) => this.view.list(frame, visitor.user.id, query['disconnected']));
  }

  @Get(':id')
  @Public()
  async app(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.show(id, request, reply, (frame, userId, app) => this.view.app(frame, userId, app));
  }

  @Get(':id/disconnect')
  @Public()
  async ask(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.show(id, request, reply, (frame, userId, app) => this.view.disconnect(frame, userId, app));
  }

  @Post(':id/disconnect')
  @Public()
  async disconnect(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, form } = await this.authenticator.form(request);
    // The app first: after that it cannot create more keys.
    await this.apps.revoke(visitor.user.id, id);
    if (form.text(REVOKE_KEYS) !== '') await this.keys.revokeMadeBy(id, visitor.user.id);
    seeOther(reply, `${paths.apps}?disconnected=${encodeURIComponent(id)}`);
  }

  /** Sends a page about one app, while it is connected. */
  private async show(
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    draw: (frame: ShellFrame, userId: string, app: ConnectedApp) => Promise<Html>,
  ): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    await this.view.upToDate();
    const app = await this.apps.find(visitor.user.id, id);
    if (app) await this.renderer.send(reply, visitor, (frame) => draw(frame, visitor.user.id, app));
    else await this.renderer.send(reply, visitor, (frame) => appGonePage({ frame }), { status: 404 });
  }
}
