import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PayOfferService } from '../../money/lnurl/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { invoicePage } from './invoice.view.js';
import { invoicesPage } from './invoices.view.js';
import { ReceivePageService } from './receive.service.js';
import { emptyReceiveForm, receivePage, type ReceiveForm } from './receive.view.js';

@PageController('dashboard/receive')
@PageSession()
export class ReceiveController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: ReceivePageService,
    private readonly offers: PayOfferService,
  ) {}

  @Get()
  async form(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.show(reply, visitor, emptyReceiveForm, 200);
  }

  @Post()
  async create(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const outcome = await this.service.create(visitor.user.id, typedIn(form));
    if (outcome.kind === 'made') return seeOther(reply, paths.invoice(outcome.paymentHash));
    await this.show(reply, visitor, outcome.form, 422);
  }

  @Get('invoices')
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const model = await this.service.list(visitor.user.id, query);
    await this.renderer.send(reply, visitor, (frame) => invoicesPage({ ...model, frame }), { live: true });
  }

  @Get(':hash')
  async invoice(@Param('hash') hash: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const model = await this.service.invoice(visitor.user.id, hash);
    await this.renderer.send(reply, visitor, (frame) => invoicePage({ ...model, frame }), { live: true });
  }

  @Post(':hash/cancel')
  async cancel(@Param('hash') hash: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.service.cancel(visitor.user.id, hash);
    seeOther(reply, paths.invoice(hash));
  }

  private show(reply: FastifyReply, visitor: Visitor, form: ReceiveForm, status: number): Promise<void> {
    const { username } = visitor.user;
    const model = { form, username, lnurl: this.offers.lnurlOf(username), hasPrice: this.service.hasPrice };
    return this.renderer.send(reply, visitor, (frame) => receivePage({ ...model, frame }), { status });
  }
}

const typedIn = (form: Form): Pick<ReceiveForm, 'amount' | 'unit' | 'memo'> => ({
  amount: form.text('amount'),
  unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
  memo: form.text('memo'),
});
