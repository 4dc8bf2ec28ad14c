import { Get, Param, Post, Query } from '@nestjs/common';
import { ApiKeyService } from '../../access/api-key/index.js';
import type { AskAbove, Budget, LimitsChange } from '../../access/limit/index.js';
import { AppService, ClientService, type ConnectedApp } from '../../access/oauth/index.js';
import { CredentialUsage, CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Form, type Html, type ShellFrame } from '../../edge/page/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { LimitsPages, type NoForm } from '../limits/limits-pages.js';
import { canSend, type Spender } from '../limits/limits.view.js';
import { paths } from '../paths.js';
import { DashboardPages, type Redirect, type Screen } from '../screen.js';
import { appGonePage, appPage, disconnectAppPage, REVOKE_KEYS, appsPage, type AppsModel } from './app.view.js';

const PAYMENTS_SHOWN = 10;

@DashboardPages('/apps')
export class AppsController extends LimitsPages {
  constructor(
    private readonly apps: AppService,
    private readonly clients: ClientService,
    private readonly keys: ApiKeyService,
    private readonly activities: ActivityService,
    private readonly usage: CredentialUsage,
  ) {
    super();
  }

  @Get()
  async list(@Query('disconnected') disconnected: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    await this.usage.flush();
    const apps = await this.apps.list(user.id);
    const isGone = typeof disconnected === 'string' && apps.every(({ id }) => id !== disconnected);
    const client = isGone ? await this.clients.find(disconnected) : null;
    const ids = apps.map(({ id }) => id);
    const limits = await this.apps.limitsOf(user.id, ids);
    const model = { apps, limits, ended: await this.listEnded(user.id), disconnectedName: client?.name ?? null };
    return { draw: (frame) => appsPage({ ...model, frame }) };
  }

  @Get(':id')
  app(@Param('id') id: string, @Query('limits') limits: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    return this.screen(user.id, id, async (app, frame) => {
      const payments = canSend(app.scopes) ? await this.activities.byPrincipals(user.id, app.grantIds, PAYMENTS_SHOWN) : null;
      const [budget, ask] = [await this.apps.loadBudget(user.id, id), await this.apps.askOf(user.id, id)];
      return appPage({ frame, app, payments, budget, ask, isSaved: limits === 'saved' });
    });
  }

  @Get(':id/disconnect')
  ask(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    return this.screen(user.id, id, async (app, frame) => {
      const keys = await this.keys.listInUse(user.id, id);
      const hasLimits = (await this.apps.limitsOf(user.id, [id])).size > 0;
      return disconnectAppPage({ frame, app, keys, hasLimits });
    });
  }

  @Post(':id/disconnect')
  async disconnect(@Param('id') id: string, @CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Redirect> {
    const keys = { clientId: id, userId: user.id };
    await this.apps.revoke(user.id, id, form.text(REVOKE_KEYS) === '' ? undefined : (tx) => this.keys.revokeChosen(keys, tx));
    return { seeOther: `${paths.apps}?disconnected=${encodeURIComponent(id)}` };
  }

  protected async spender(userId: string, id: string): Promise<Spender | NoForm> {
    const app = await this.find(userId, id);
    if (!app) return { kind: 'no_form', draw: (frame) => appGonePage({ frame }), status: 404, sentStatus: 404 };
    const [action, askAction] = [paths.appLimits(id), paths.appAsk(id)];
    return { kind: 'app', movesMoney: canSend(app.scopes), name: app.name, href: paths.app(id), action, askAction };
  }

  protected loadBudget(userId: string, id: string): Promise<Budget> {
    return this.apps.loadBudget(userId, id);
  }

  protected async changeLimits(userId: string, id: string, change: LimitsChange): Promise<boolean> {
    return (await this.apps.changeLimits(userId, id, change)) === 'changed';
  }

  protected loadAsk(userId: string, id: string): Promise<AskAbove> {
    return this.apps.askOf(userId, id);
  }

  protected changeAsk(userId: string, id: string, ask: AskAbove): Promise<boolean> {
    return this.apps.changeAsk(userId, id, ask);
  }

  /** With the keys that each app created: those that ended with it, or those that still work. */
  private async listEnded(userId: string): Promise<AppsModel['ended']> {
    const [ended, keys] = [await this.apps.listEnded(userId), await this.keys.list(userId)];
    return ended.map((app) => {
      const own = keys.filter(({ clientId }) => clientId === app.id);
      const concerned = own.filter(({ revokedAt, expired }) =>
        app.isSuspicion ? revokedAt?.getTime() === app.endedAt.getTime() : !revokedAt && !expired,
      );
      return { ...app, keys: concerned };
    });
  }

  private async screen(userId: string, id: string, draw: (app: ConnectedApp, frame: ShellFrame) => Promise<Html>): Promise<Screen> {
    const app = await this.find(userId, id);
    return app ? { draw: (frame) => draw(app, frame) } : { draw: (frame) => appGonePage({ frame }), status: 404 };
  }

  private async find(userId: string, id: string): Promise<ConnectedApp | null> {
    // "Last used" is collected in memory for a second: write it before it is read.
    await this.usage.flush();
    return this.apps.find(userId, id);
  }
}
