import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../auth/index.js';
import { BUDGET_WINDOWS, type Budget } from '../../budget/index.js';
import { PageRenderer, seeOther, type Form, type Html, type ShellFrame } from '../../page/index.js';
import { InterruptedForms } from '../../signin/index.js';
import { limitsPage, type LimitsFormModel, type Spender } from './limits.view.js';
import { formAfter, formIn, presentForm, requireEachWindow, type LimitsForm, type LimitsOutcome } from './typed-limits.js';

/** The limits of keys, or of apps. */
export interface SpenderLimits {
  /** The address of the spender's page, and that of its form. */
  readonly pageOf: (id: string) => string;
  readonly formOf: (id: string) => string;
  /** @throws PageError unless this person has it */
  find(userId: string, id: string): Promise<Spender | NoForm>;
  load(userId: string, id: string): Promise<Budget>;
  /** Sets what the person has changed. @throws PageError unless this person has it */
  save(userId: string, id: string, sent: LimitsForm): Promise<LimitsOutcome>;
}

/** One that can spend nothing has a page that says so in the place of the form. */
export interface NoForm {
  readonly kind: 'no_form';
  readonly page: (frame: ShellFrame) => Html;
  /** Of the page at the address of the form, and of the answer to a form that was sent. */
  readonly status: number;
  readonly sentStatus: number;
}

/** A request for the form of one spender. */
interface FormRequest {
  readonly id: string;
  readonly visitor: Visitor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The fields of the form. */
export const LIMIT_FIELDS = [...BUDGET_WINDOWS, 'based'];

/** The form that changes what a spender can spend: for the controllers of keys and of apps. */
@Injectable()
export class LimitsForms {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly interrupted: InterruptedForms,
  ) {}

  async open(limits: SpenderLimits, { id, visitor, request, reply }: FormRequest): Promise<void> {
    const kept = this.interrupted.take(request, reply, visitor, limits.formOf(id));
    await this.show(limits, { id, visitor, reply }, (budget) => ({
      ...(kept ? formIn(kept) : presentForm(budget)),
      errors: {},
    }));
  }

  async save(limits: SpenderLimits, form: Form, { id, visitor, reply }: Omit<FormRequest, 'request'>): Promise<void> {
    requireEachWindow(form);
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'no_form') return this.renderer.send(reply, visitor, spender.page, { status: spender.sentStatus });
    const sent = formIn(form);
    const outcome = await limits.save(visitor.user.id, id, sent);
    if (outcome.kind === 'saved') return seeOther(reply, `${limits.pageOf(id)}?limits=saved`);
    await this.show(limits, { id, visitor, reply }, (budget) => formAfter(outcome, sent, budget), 422);
  }

  private async show(
    limits: SpenderLimits,
    { id, visitor, reply }: Omit<FormRequest, 'request'>,
    formOf: (budget: Budget) => Omit<LimitsFormModel, 'frame' | 'budget'>,
    status = 200,
  ): Promise<void> {
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'no_form')
      return this.renderer.send(reply, visitor, spender.page, { status: status === 200 ? spender.status : spender.sentStatus });
    const budget = await limits.load(visitor.user.id, id);
    await this.renderer.send(reply, visitor, (frame) => limitsPage(spender, { frame, budget, ...formOf(budget) }), { status });
  }
}
