import { Get, Param, Post } from '@nestjs/common';
import type { Budget, LimitsChange } from '../../access/limit/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Draw, type Form } from '../../edge/page/index.js';
import type { Answer, Screen } from '../screen.js';
import { limitsPage, type Spender } from './limits.view.js';
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
  /** @throws PageError unless this person has it */
  protected abstract spender(userId: string, id: string): Promise<Spender | NoForm>;
  protected abstract loadBudget(userId: string, id: string): Promise<Budget>;
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

  private async limitsScreen(userId: string, id: string, refused?: RefusedForm): Promise<Screen> {
    const spender = await this.spender(userId, id);
    if (spender.kind === 'no_form') return { draw: spender.draw, status: refused ? spender.sentStatus : spender.status };
    const budget = await this.loadBudget(userId, id);
    const form = refused ?? { ...presentForm(budget), errors: {} };
    return { draw: (frame) => limitsPage(spender, { frame, budget, ...form }), status: refused ? 422 : 200 };
  }
}
