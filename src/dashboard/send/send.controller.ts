import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import { WaitsElsewhere } from '../../http/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../page/index.js';
import { paths } from '../paths.js';
import { reviewPage } from './review.view.js';
import type { TypedSend } from './send-orders.js';
import { SendPageService, type Reviewed } from './send.service.js';
import { emptySendForm, sendPage, type SendForm } from './send.view.js';

/** `/dashboard/send`: the form, and the page that asks for the confirmation. */
@PageController('dashboard/send')
@PageSession()
export class SendController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: SendPageService,
  ) {}

  @Get()
  async form(@Query() { order }: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const typed = typeof order === 'string' ? this.service.typedIn(visitor, order) : undefined;
    await this.show(reply, visitor, { ...emptySendForm, ...typed }, 200);
  }

  @Post()
  async check(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const typed = typedIn(form);
    const checked = await this.service.check(visitor, typed);
    if (checked.kind === 'ready') return seeOther(reply, paths.reviewOf(checked.order));
    await this.show(reply, visitor, { ...typed, fault: checked }, 422);
  }

  @Get('review')
  @WaitsElsewhere()
  async review(@Query() { order }: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    if (typeof order === 'string') return this.answer(reply, visitor, await this.service.review(visitor, order));
    await this.answer(reply, visitor, { kind: 'unknown' });
  }

  @Post('review')
  async confirm(
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Req() { work }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, visitor, await this.service.confirm(visitor, form.text('order'), work));
  }

  private async answer(reply: FastifyReply, visitor: Visitor, reviewed: Reviewed): Promise<void> {
    if (reviewed.kind === 'begun') return seeOther(reply, paths.transaction(reviewed.transactionId));
    if (reviewed.kind === 'over') return this.show(reply, visitor, { ...reviewed.typed, ended: 'over' }, 410);
    if (reviewed.kind === 'unknown') return this.show(reply, visitor, { ...emptySendForm, ended: 'unknown' }, 410);
    const { model } = reviewed;
    const status = model.error === null ? 200 : 422;
    await this.renderer.send(reply, visitor, (frame) => reviewPage({ ...model, frame }), { status });
  }

  private async show(reply: FastifyReply, visitor: Visitor, form: SendForm, status: number): Promise<void> {
    const model = await this.service.form(visitor, form.fault?.flow);
    await this.renderer.send(reply, visitor, (frame) => sendPage({ ...model, frame, form }), { status });
  }
}

const typedIn = (form: Form): TypedSend => ({
  to: form.text('to'),
  amount: form.text('amount'),
  unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
  memo: form.text('memo'),
});
