import type { Budget, LimitsChange } from '../../access/limit/index.js';
import { PageSession } from '../../edge/auth/index.js';
import { PageController, PageRenderer } from '../../edge/page/index.js';
import { LimitsPages, type NoForm } from '../limits/limits-pages.js';
import { canSend, type Spender } from '../limits/limits.view.js';
import { paths } from '../paths.js';
import { appGonePage } from './app.view.js';
import { AppsPageService } from './apps.service.js';

@PageController('dashboard/apps/:id/limits')
@PageSession()
export class AppLimitsController extends LimitsPages {
  protected readonly pageOf = paths.app;

  constructor(
    renderer: PageRenderer,
    private readonly apps: AppsPageService,
  ) {
    super(renderer);
  }

  protected async find(userId: string, id: string): Promise<Spender | NoForm> {
    const app = await this.apps.find(userId, id);
    if (!app) return { kind: 'no_form', page: (frame) => appGonePage({ frame }), status: 404, sentStatus: 404 };
    return { kind: 'app', movesMoney: canSend(app.scopes), name: app.name, href: paths.app(id), action: paths.appLimits(id) };
  }

  protected load(userId: string, id: string): Promise<Budget> {
    return this.apps.budget(userId, id);
  }

  protected change(userId: string, id: string, change: LimitsChange): Promise<boolean> {
    return this.apps.changeLimits(userId, id, change);
  }
}
