import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import type { Form } from '../page/index.js';
import { PageAuthenticator } from './page-authenticator.js';
import { PageFilter } from './page.filter.js';
import { Receiving } from './receiving.js';
import { seeOther, PageRenderer } from './page-renderer.js';
import { WalletPages } from './wallet-pages.js';
import { emptyReceiveForm, paths, type ReceiveForm } from './view/index.js';

/** `/dashboard/receive`: the form for an invoice, and the page of each invoice. */
@Controller('dashboard/receive')
@UseFilters(PageFilter)
export class ReceiveController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly renderer: PageRenderer,
    private readonly view: WalletPages,
    private readonly receiving: Receiving,
  ) {}

  @Get()
  @Public()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    const kept = this.authenticator.kept(request, reply, visitor, paths.receive);
    const form = kept ? { ...typedIn(kept), errors: {}, restored: true } : emptyReceiveForm;
    await this.renderer.send(reply, visitor, (frame) => this.view.receive(frame, visitor.user, form));
  }

  @Post()
  @Public()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, form } = await this.authenticator.form(request);
    const outcome = await this.receiving.ask(visitor.user.id, typedIn(form));
    if (outcome.kind === 'made') return seeOther(reply, paths.invoice(outcome.paymentHash));
    await this.renderer.send(reply, visitor, (frame) => this.view.receive(frame, visitor.user, outcome.form), { status: 422 });
  }

  @Get(':hash')
  @Public()
  async invoice(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    await this.renderer.send(reply, visitor, (frame) => this.view.invoice(frame, visitor.user, hash), { live: true });
  }

  @Post(':hash/cancel')
  @Public()
  async cancel(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.authenticator.form(request);
    await this.receiving.cancel(visitor.user.id, hash);
    seeOther(reply, paths.invoice(hash));
  }
}

const typedIn = (form: Form): Pick<ReceiveForm, 'amount' | 'unit' | 'memo'> => ({
  amount: form.text('amount'),
  unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
  memo: form.text('memo'),
});
