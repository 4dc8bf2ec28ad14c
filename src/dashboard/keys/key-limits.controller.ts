import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../page/index.js';
import { InterruptedForms, KeptFields } from '../../signin/index.js';
import { paths } from '../paths.js';
import { KeyLimitsPageService } from './key-limits.service.js';
import { keyLimitsPage, type KeyLimitsModel } from './key-limits.view.js';
import { keyGonePage } from './key.view.js';
import { KeysPageService } from './keys.service.js';
import { formAfter, formIn, presentForm, requireEachWindow } from './typed-limit.js';

/** `/dashboard/keys/<id>/limits`: what a key can spend. */
@PageController('dashboard/keys/:id/limits')
@PageSession()
export class KeyLimitsController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly keys: KeysPageService,
    private readonly service: KeyLimitsPageService,
    private readonly interrupted: InterruptedForms,
  ) {}

  @Get()
  async form(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const kept = this.interrupted.take(request, reply, visitor, paths.keyLimits(id));
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
    if (outcome.kind === 'saved') return seeOther(reply, `${paths.key(id)}?limits=saved`);
    await this.show(reply, visitor, id, (budget) => formAfter(outcome, sent, budget), outcome.kind === 'ended' ? 410 : 422);
  }

  private async show(
    reply: FastifyReply,
    visitor: Visitor,
    id: string,
    formOf: (budget: KeyLimitsModel['budget']) => Pick<KeyLimitsModel, 'values' | 'based' | 'errors' | 'restored' | 'overtaken'>,
    status = 200,
  ): Promise<void> {
    const key = await this.keys.find(visitor.user.id, id);
    const budget = await this.service.load(key.id);
    const model = { key, budget, ...formOf(budget) };
    await this.renderer.send(reply, visitor, (frame) => (key.ended ? keyGonePage({ frame, key }) : keyLimitsPage({ frame, ...model })), {
      status,
    });
  }
}
