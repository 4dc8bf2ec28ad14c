import { Injectable } from '@nestjs/common';
import type { Budget, BudgetLimits, LimitsChange } from '../../access/limit/index.js';
import { AppLimits } from '../../access/oauth/index.js';
import type { NoForm, SpenderLimits } from '../limits/limits-forms.js';
import { canSend, type Spender } from '../limits/limits.view.js';
import { paths } from '../paths.js';
import { appGonePage } from './app.view.js';
import { AppsPageService } from './apps.service.js';

@Injectable()
export class AppLimitsPageService implements SpenderLimits {
  readonly pageOf = paths.app;

  constructor(
    private readonly apps: AppsPageService,
    private readonly limits: AppLimits,
  ) {}

  async find(userId: string, id: string): Promise<Spender | NoForm> {
    const app = await this.apps.find(userId, id);
    if (!app) return { kind: 'no_form', page: (frame) => appGonePage({ frame }), status: 404, sentStatus: 404 };
    return { kind: 'app', movesMoney: canSend(app.scopes), name: app.name, href: this.pageOf(id), action: paths.appLimits(id) };
  }

  load(userId: string, id: string): Promise<Budget> {
    return this.limits.load(userId, id);
  }

  limitsOf(userId: string, apps: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    return this.limits.limitsOf(
      userId,
      apps.map(({ id }) => id),
    );
  }

  async save(userId: string, id: string, change: LimitsChange): Promise<boolean> {
    return (await this.limits.change(userId, id, change)).kind === 'changed';
  }
}
