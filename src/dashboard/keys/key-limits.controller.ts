import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../page/index.js';
import { InterruptedForms, KeptFields } from '../../signin/index.js';
import { paths } from '../paths.js';
import { KeyLimitsPageService } from './key-limits.service.js';
import { keyLimitsPage, limitValues, presentForm, type KeyLimitsModel } from './key-limits.view.js';
import { keyGonePage } from './key.view.js';
import { KeysPageService } from './keys.service.js';

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
      ...(kept ? this.service.sentIn(kept) : presentForm(limitValues(budget))),
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
    this.service.requireAll(form);
    const { ended } = await this.keys.find(visitor.user.id, id);
    if (ended) return this.show(reply, visitor, id, (budget) => ({ ...presentForm(limitValues(budget)), errors: {} }), 410);
    const sent = this.service.sentIn(form);
    const outcome = await this.service.save(visitor.user.id, id, sent);
    if (outcome.kind === 'saved') return seeOther(reply, `${paths.key(id)}?limits=saved`);
    const answer =
      outcome.kind === 'stale'
        ? { ...presentForm(outcome.present), errors: {}, overtaken: sent.values }
        : { ...sent, errors: outcome.errors };
    await this.show(reply, visitor, id, () => answer, 422);
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
