import { Get, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import type { Budget, LimitsChange } from '../../access/limit/index.js';
import { PageForm, seeOther, type Form, type Html, type PageRenderer, type ShellFrame } from '../../edge/page/index.js';
import { limitsPage, type Spender } from './limits.view.js';
import { changeIn, formIn, presentForm, type LimitErrors, type LimitsForm } from './typed-limits.js';

/** A spender that can spend nothing has a page that says so in the place of the form. */
export interface NoForm {
  readonly kind: 'no_form';
  readonly page: (frame: ShellFrame) => Html;
  readonly status: number;
  /** The status of the answer to a form that was sent. */
  readonly sentStatus: number;
}

interface FormRequest {
  readonly id: string;
  readonly visitor: Visitor;
  readonly reply: FastifyReply;
}

interface RefusedForm extends LimitsForm {
  readonly errors: LimitErrors;
}

/** The form that changes what keys, or apps, can spend. */
export abstract class LimitsPages {
  protected abstract readonly pageOf: (id: string) => string;

  constructor(private readonly renderer: PageRenderer) {}

  /** @throws PageError unless this person has it */
  protected abstract find(userId: string, id: string): Promise<Spender | NoForm>;
  protected abstract load(userId: string, id: string): Promise<Budget>;
  /** Sets all or nothing. @returns false if it can spend nothing any more, and has no form */
  protected abstract change(userId: string, id: string, change: LimitsChange): Promise<boolean>;

  @Get()
  form(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    return this.show({ id, visitor, reply });
  }

  /** Writes what the person has changed; of two forms the last counts. */
  @Post()
  async save(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const spender = await this.find(visitor.user.id, id);
    if (spender.kind === 'no_form') return this.renderer.send(reply, visitor, spender.page, { status: spender.sentStatus });
    const sent = formIn(form);
    const { change, errors } = changeIn(sent);
    const isSaved = Object.keys(errors).length === 0 && (await this.change(visitor.user.id, id, change));
    if (!isSaved) return this.show({ id, visitor, reply }, { ...sent, errors });
    seeOther(reply, `${this.pageOf(id)}?limits=saved`);
  }

  private async show({ id, visitor, reply }: FormRequest, refused?: RefusedForm): Promise<void> {
    const spender = await this.find(visitor.user.id, id);
    if (spender.kind === 'no_form')
      return this.renderer.send(reply, visitor, spender.page, { status: refused ? spender.sentStatus : spender.status });
    const budget = await this.load(visitor.user.id, id);
    const form = refused ?? { ...presentForm(budget), errors: {} };
    await this.renderer.send(reply, visitor, (frame) => limitsPage(spender, { frame, budget, ...form }), { status: refused ? 422 : 200 });
  }
}
