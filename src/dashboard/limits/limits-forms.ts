import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Visitor } from '../../edge/auth/index.js';
import type { Budget, LimitsChange } from '../../access/limit/index.js';
import { PageRenderer, seeOther, type Form, type Html, type ShellFrame } from '../../edge/page/index.js';
import { limitsPage, type Spender } from './limits.view.js';
import { changeIn, formIn, presentForm, type LimitErrors, type LimitsForm } from './typed-limits.js';

/** The limits of keys, or of apps. */
export interface SpenderLimits {
  /** The address of the spender's page. */
  readonly pageOf: (id: string) => string;
  /** @throws PageError unless this person has it */
  find(userId: string, id: string): Promise<Spender | NoForm>;
  load(userId: string, id: string): Promise<Budget>;
  /** Sets what the person has changed, all or nothing. @returns false if it can spend nothing any more, and has no form */
  save(userId: string, id: string, change: LimitsChange): Promise<boolean>;
}

/** One that can spend nothing has a page that says so in the place of the form. */
export interface NoForm {
  readonly kind: 'no_form';
  readonly page: (frame: ShellFrame) => Html;
  /** The status of the page at the address of the form, and of the answer to a form that was sent. */
  readonly status: number;
  readonly sentStatus: number;
}

/** A request for the form of one spender. */
interface FormRequest {
  readonly id: string;
  readonly visitor: Visitor;
  readonly reply: FastifyReply;
}

/** A form that is shown again. */
interface RefusedForm extends LimitsForm {
  readonly errors: LimitErrors;
}

/** The form that changes what a spender can spend: for the controllers of keys and of apps. */
@Injectable()
export class LimitsForms {
  constructor(private readonly renderer: PageRenderer) {}

  /** @param refused the form that was sent */
  async show(limits: SpenderLimits, { id, visitor, reply }: FormRequest, refused?: RefusedForm): Promise<void> {
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'no_form')
      return this.renderer.send(reply, visitor, spender.page, { status: refused ? spender.sentStatus : spender.status });
    const budget = await limits.load(visitor.user.id, id);
    const form = refused ?? { ...presentForm(budget), errors: {} };
    await this.renderer.send(reply, visitor, (frame) => limitsPage(spender, { frame, budget, ...form }), { status: refused ? 422 : 200 });
  }

  /** Writes what the person has changed; of two forms the last counts. */
  async save(limits: SpenderLimits, form: Form, request: FormRequest): Promise<void> {
    const { id, visitor, reply } = request;
    const spender = await limits.find(visitor.user.id, id);
    if (spender.kind === 'no_form') return this.renderer.send(reply, visitor, spender.page, { status: spender.sentStatus });
    const sent = formIn(form);
    const { change, errors } = changeIn(sent);
    const isSaved = Object.keys(errors).length === 0 && (await limits.save(visitor.user.id, id, change));
    if (!isSaved) return this.show(limits, request, { ...sent, errors });
    seeOther(reply, `${limits.pageOf(id)}?limits=saved`);
  }
}
