import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Visitor } from '../../auth/index.js';
import type { Budget, BudgetWindow, LimitsChange } from '../../budget/index.js';
import { PageError, PageRenderer, seeOther, type Form, type Html, type ShellFrame } from '../../page/index.js';
import { limitsPage, type LimitsFormModel, type Spender } from './limits.view.js';
import { formIn, presentForm, readForm, requireEachWindow, type LimitsForm } from './typed-limits.js';

/** The limits of keys, or of apps. */
export interface SpenderLimits {
  /** The address of the spender's page, and that of its form. */
  readonly pageOf: (id: string) => string;
  readonly formOf: (id: string) => string;
  /** @throws PageError unless this person has it */
  find(userId: string, id: string): Promise<Spender | NoForm>;
  load(userId: string, id: string): Promise<Budget>;
  /** Sets what the person has changed, all or nothing. @throws PageError unless this person has it */
  save(userId: string, id: string, change: LimitsChange): Promise<LimitsOutcome>;
}

export type LimitsOutcome =
  | { readonly kind: 'changed' }
  /** The rule of limits refuses these windows. */
  | { readonly kind: 'invalid'; readonly windows: readonly BudgetWindow[] }
  /** Limits have changed since they were read. */
  | { readonly kind: 'stale' }
  /** It can spend nothing any more, and has no form. */
  | { readonly kind: 'ended' };

/** Changes elsewhere may come between reading and writing. */
const MAX_ATTEMPTS = 3;

/** What a form shows beside the state of its spender. */
type ShownForm = Omit<LimitsFormModel, 'frame' | 'budget'>;

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
  readonly reply: FastifyReply;
}

/** The form that changes what a spender can spend: for the controllers of keys and of apps. */
@Injectable()
export class LimitsForms {
  constructor(private readonly renderer: PageRenderer) {}

  async open(limits: SpenderLimits, request: FormRequest): Promise<void> {
    await this.show(limits, request, (budget) => ({ ...presentForm(budget), errors: {} }));
  }

  async save(limits: SpenderLimits, form: Form, { id, visitor, reply }: FormRequest): Promise<void> {
    requireEachWindow(form);
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'no_form') return this.renderer.send(reply, visitor, spender.page, { status: spender.sentStatus });
    const sent = formIn(form);
    const refused = await this.store(limits, visitor.user.id, id, sent);
    if (refused === null) return seeOther(reply, `${limits.pageOf(id)}?limits=saved`);
    await this.show(limits, { id, visitor, reply }, () => refused, 422);
  }

  /** @returns the form as it is shown again; null: what the person wants applies */
  private async store(limits: SpenderLimits, userId: string, id: string, sent: LimitsForm): Promise<ShownForm | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const reading = readForm(sent, await limits.load(userId, id));
      if (reading.kind === 'settled') return null;
      if (reading.kind === 'stale') return reading.form;
      const outcome = await limits.save(userId, id, reading.change);
      if (outcome.kind === 'changed') return null;
      if (outcome.kind === 'invalid') return { ...sent, errors: reading.errorsOf(outcome.windows) };
      if (outcome.kind === 'ended') return { ...sent, errors: {} };
    }
    throw new PageError({ kind: 'error', error: 'busy' });
  }

  private async show(
    limits: SpenderLimits,
    { id, visitor, reply }: FormRequest,
    formOf: (budget: Budget) => ShownForm,
    status = 200,
  ): Promise<void> {
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'no_form')
      return this.renderer.send(reply, visitor, spender.page, { status: status === 200 ? spender.status : spender.sentStatus });
    const budget = await limits.load(visitor.user.id, id);
    await this.renderer.send(reply, visitor, (frame) => limitsPage(spender, { frame, budget, ...formOf(budget) }), { status });
  }
}
