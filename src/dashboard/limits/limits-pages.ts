import { Get, Param, Post } from '@nestjs/common';
import type { AskAbove, Budget, LimitsChange } from '../../access/limit/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Draw, type Form } from '../../edge/page/index.js';
import type { Answer, Screen } from '../screen.js';
import { limitsPage, type Spender } from './limits.view.js';
import { askFormIn, presentAsk, type AskForm } from './ask-form.js';
import { changeIn, formIn, presentForm, type LimitErrors, type LimitsForm } from './limits-form.js';

/** A spender that can spend nothing has a page that says so in the place of the form. */
export interface NoForm {
  readonly kind: 'no_form';
  readonly draw: Draw;
  readonly status: number;
  /** The status of the answer to a form that was sent. */
  readonly sentStatus: number;
}

interface RefusedForm extends LimitsForm {
  readonly errors: LimitErrors;
}

/** The form that changes what keys, or apps, can spend. */
export abstract class LimitsPages {
  protected abstract spender(userId: string, id: string): Promise<Spender | NoForm>;
  protected abstract loadBudget(userId: string, id: string): Promise<Budget>;
  protected abstract loadAsk(userId: string, id: string): Promise<AskAbove>;
  /** @returns false as `changeLimits` does */
  protected abstract changeAsk(userId: string, id: string, ask: AskAbove): Promise<boolean>;
  /** Sets all or nothing. @returns false if it can spend nothing any more, and has no form */
  protected abstract changeLimits(userId: string, id: string, change: LimitsChange): Promise<boolean>;

  @Get(':id/limits')
  limits(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    return this.limitsScreen(user.id, id);
  }

  /** Writes what the person has changed; of two forms the last counts. */
  @Post(':id/limits')
  async saveLimits(@Param('id') id: string, @CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const spender = await this.spender(user.id, id);
    if (spender.kind === 'no_form') return { draw: spender.draw, status: spender.sentStatus };
    const sent = formIn(form);
    const { change, errors } = changeIn(sent);
    const isSaved = Object.keys(errors).length === 0 && (await this.changeLimits(user.id, id, change));
    return isSaved ? { seeOther: `${spender.href}?limits=saved` } : this.limitsScreen(user.id, id, { ...sent, errors });
  }

  /** Above which amounts it asks: of two forms the last counts. */
  @Post(':id/ask')
  async saveAsk(@Param('id') id: string, @CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const spender = await this.spender(user.id, id);
    if (spender.kind === 'no_form') return { draw: spender.draw, status: spender.sentStatus };
    const sent = askFormIn(form);
    const isSaved = sent.ask !== null && (await this.changeAsk(user.id, id, sent.ask));
    return isSaved ? { seeOther: `${spender.href}?limits=saved` } : this.limitsScreen(user.id, id, undefined, sent);
  }

  private async limitsScreen(userId: string, id: string, refused?: RefusedForm, refusedAsk?: AskForm): Promise<Screen> {
    const spender = await this.spender(userId, id);
    const isRefused = refused !== undefined || refusedAsk !== undefined;
    if (spender.kind === 'no_form') return { draw: spender.draw, status: isRefused ? spender.sentStatus : spender.status };
    const budget = await this.loadBudget(userId, id);
    const ask = refusedAsk ?? presentAsk(await this.loadAsk(userId, id));
    const form = refused ?? { ...presentForm(budget), errors: {} };
    return { draw: (frame) => limitsPage(spender, { frame, budget, ask, ...form }), status: isRefused ? 422 : 200 };
  }
}
