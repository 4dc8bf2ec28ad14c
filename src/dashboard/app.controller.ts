import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { AppService, ClientService } from '../oauth/index.js';
import { Pages, type Html, type ShellFrame } from '../page/index.js';
import { Activities } from './activities.js';
import { Gate, type Visitor } from './gate.js';
import { PageFilter } from './page.filter.js';
import { appGonePage, appPage, appsPage, disconnectAppPage, paths } from './view/index.js';

const PAYMENTS_SHOWN = 10;

/** `/dashboard/apps`: who acts for me? */
@Controller('dashboard/apps')
@UseFilters(PageFilter)
export class AppController {
  constructor(
    private readonly gate: Gate,
    private readonly pages: Pages,
    private readonly apps: AppService,
    private readonly clients: ClientService,
    private readonly activities: Activities,
  ) {}

  @Get()
  @Public()
  async list(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.gate.signedIn(request);
    const disconnectedName =
      typeof query['disconnected'] === 'string' ? ((await this.clients.find(query['disconnected']))?.name ?? null) : null;
    const apps = await this.apps.list(visitor.user.id);
    this.send(reply, visitor, (frame) =>
      appsPage({ frame, apps, disconnectedName: apps.some(({ id }) => id === query['disconnected']) ? null : disconnectedName }),
    );
  }

  @Get(':id')
  @Public()
  async app(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.gate.signedIn(request);
    const app = await this.apps.find(visitor.user.id, id);
    if (!app) return this.send(reply, visitor, (frame) => appGonePage({ frame }), 404);
    const payments = app.scopes.some(({ movesMoney }) => movesMoney)
      ? await this.activities.byPrincipals(visitor.user.id, app.grantIds, PAYMENTS_SHOWN)
      : null;
    this.send(reply, visitor, (frame) => appPage({ frame, app, payments }));
  }

  @Get(':id/disconnect')
  @Public()
  async ask(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.gate.signedIn(request);
    const app = await this.apps.find(visitor.user.id, id);
    this.send(reply, visitor, (frame) => (app ? disconnectAppPage({ frame, app }) : appGonePage({ frame })), app ? 200 : 404);
  }

  @Post(':id/disconnect')
  @Public()
  async disconnect(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.gate.form(request);
    await this.apps.revoke(visitor.user.id, id);
    void reply
      .code(303)
      .header('location', `${paths.apps}?disconnected=${encodeURIComponent(id)}`)
      .send();
  }

  private send(reply: FastifyReply, { session, user }: Visitor, draw: (frame: ShellFrame) => Html, status = 200): void {
    const frame = this.pages.shell({ id: session.id, email: user.email });
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, draw(frame), status);
  }
}
