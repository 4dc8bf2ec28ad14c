import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import type { Budget } from '../../budget/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../page/index.js';
import { InterruptedForms, KeptFields } from '../../signin/index.js';
import type { LimitsFormModel } from '../keys/key-limits.view.js';
import { formAfter, formIn, presentForm, requireEachWindow } from '../keys/typed-limit.js';
import { paths } from '../paths.js';
import { AppLimitsPageService } from './app-limits.service.js';
import { appGonePage, appLimitsPage } from './app.view.js';
import { AppsPageService } from './apps.service.js';

/** `/dashboard/apps/<id>/limits`: what an app can spend. */
@PageController('dashboard/apps/:id/limits')
@PageSession()
export class AppLimitsController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly apps: AppsPageService,
    private readonly service: AppLimitsPageService,
    private readonly interrupted: InterruptedForms,
  ) {}

  @Get()
  async form(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const kept = this.interrupted.take(request, reply, visitor, paths.appLimits(id));
    await this.show(reply, visitor, id, (budget) => ({
      ...(kept ? formIn(kept) : presentForm(budget)),
      errors: {},
      restored: kept !== null,
    }));
  }

  @Post()
  @KeptFields(['daily', 'weekly', 'monthly', 'annual', 'based'])
  async save(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireEachWindow(form);
    const sent = formIn(form);
    const outcome = await this.service.save(visitor.user.id, id, sent);
    if (outcome.kind === 'saved') return seeOther(reply, `${paths.app(id)}?limits=saved`);
    await this.show(reply, visitor, id, (budget) => formAfter(outcome, sent, budget), outcome.kind === 'ended' ? 410 : 422);
  }

  private async show(
    reply: FastifyReply,
    visitor: Visitor,
    id: string,
    formOf: (budget: Budget) => Pick<LimitsFormModel, 'values' | 'based' | 'errors' | 'restored' | 'overtaken'>,
    status = 200,
  ): Promise<void> {
    const app = await this.apps.find(visitor.user.id, id);
    if (!app) return this.renderer.send(reply, visitor, (frame) => appGonePage({ frame }), { status: 404 });
    const budget = await this.service.load(visitor.user.id, id);
    await this.renderer.send(reply, visitor, (frame) => appLimitsPage({ frame, app, budget, ...formOf(budget) }), { status });
  }
}
