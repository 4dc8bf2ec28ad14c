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
  /** @returns a page of its own for one that can spend nothing any more. @throws PageError unless this person has it */
  find(userId: string, id: string): Promise<Spender | GoneSpender>;
  load(userId: string, id: string): Promise<Budget>;
  /** Sets what the person has changed. @throws PageError unless this person has it */
  save(userId: string, id: string, sent: LimitsForm): Promise<LimitsOutcome>;
}

export interface GoneSpender {
  readonly kind: 'gone';
  readonly page: (frame: ShellFrame) => Html;
  /** Absent: that of the request's outcome. */
  readonly status?: number;
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
    const sent = formIn(form);
    const outcome = await limits.save(visitor.user.id, id, sent);
    if (outcome.kind === 'saved') return seeOther(reply, `${limits.pageOf(id)}?limits=saved`);
    const status = outcome.kind === 'ended' ? 410 : 422;
    await this.show(limits, { id, visitor, reply }, (budget) => formAfter(outcome, sent, budget), status);
  }

  private async show(
    limits: SpenderLimits,
    { id, visitor, reply }: Omit<FormRequest, 'request'>,
    formOf: (budget: Budget) => Omit<LimitsFormModel, 'frame' | 'budget'>,
    status = 200,
  ): Promise<void> {
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'gone') return this.renderer.send(reply, visitor, spender.page, { status: spender.status ?? status });
    const budget = await limits.load(visitor.user.id, id);
    await this.renderer.send(reply, visitor, (frame) => limitsPage(spender, { frame, budget, ...formOf(budget) }), { status });
  }
}
