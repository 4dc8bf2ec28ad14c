import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../page/index.js';
import { InterruptedForms, KeptFields } from '../signin/index.js';
import { Receiving } from './receiving.js';
import { WalletPages } from './wallet-pages.js';
import { emptyReceiveForm, paths, type ReceiveForm } from './view/index.js';

/** `/dashboard/receive`: the form for an invoice, and the page of each invoice. */
@PageController('dashboard/receive')
@PageSession()
export class ReceiveController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly view: WalletPages,
    private readonly receiving: Receiving,
    private readonly interrupted: InterruptedForms,
  ) {}

  @Get()
  async form(@CurrentVisitor() visitor: Visitor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const kept = this.interrupted.take(request, reply, visitor, paths.receive);
    const form = kept ? { ...typedIn(kept), errors: {}, restored: true } : emptyReceiveForm;
    await this.renderer.send(reply, visitor, (frame) => this.view.receive(frame, visitor.user, form));
  }

  @Post()
  @KeptFields(['amount', 'unit', 'memo'])
  async create(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const outcome = await this.receiving.ask(visitor.user.id, typedIn(form));
    if (outcome.kind === 'made') return seeOther(reply, paths.invoice(outcome.paymentHash));
    await this.renderer.send(reply, visitor, (frame) => this.view.receive(frame, visitor.user, outcome.form), { status: 422 });
  }

  @Get(':hash')
  async invoice(@Param('hash') hash: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.renderer.send(reply, visitor, (frame) => this.view.invoice(frame, visitor.user, hash), { live: true });
  }

  @Post(':hash/cancel')
  async cancel(@Param('hash') hash: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.receiving.cancel(visitor.user.id, hash);
    seeOther(reply, paths.invoice(hash));
  }
}

const typedIn = (form: Form): Pick<ReceiveForm, 'amount' | 'unit' | 'memo'> => ({
  amount: form.text('amount'),
  unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
  memo: form.text('memo'),
});
