import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { Pages } from '../page/index.js';
import { Gate } from './gate.js';
import { PageFilter } from './page.filter.js';
import { Receiving } from './receiving.js';
import { WalletPages } from './wallet-pages.js';
import { emptyReceiveForm, paths } from './view/index.js';

/** `/dashboard`: how much have I got? And `/dashboard/receive`: how do I get paid? */
@Controller('dashboard')
@UseFilters(PageFilter)
export class WalletController {
  constructor(
    private readonly gate: Gate,
    private readonly pages: Pages,
    private readonly view: WalletPages,
    private readonly receiving: Receiving,
  ) {}

  @Get()
  @Public()
  async wallet(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session, user } = await this.gate.signedIn(request);
    const frame = this.pages.shell({ id: session.id, email: user.email }, paths.events);
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, await this.view.wallet(frame, user, emptyReceiveForm));
  }

  @Get('receive')
  @Public()
  form(@Res() reply: FastifyReply): void {
    void reply.code(303).header('location', `${paths.wallet}#receive`).send();
  }

  @Post('receive')
  @Public()
  async receive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, form } = await this.gate.form(request);
    const outcome = await this.receiving.ask(visitor.user.id, {
      amount: form.text('amount'),
      unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
      memo: form.text('memo'),
    });
    if (outcome.kind === 'made') return void reply.code(303).header('location', paths.invoice(outcome.paymentHash)).send();
    const frame = this.pages.shell({ id: visitor.session.id, email: visitor.user.email });
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, await this.view.wallet(frame, visitor.user, outcome.form), 422);
  }

  @Get('receive/:hash')
  @Public()
  async invoice(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session, user } = await this.gate.signedIn(request);
    const frame = this.pages.shell({ id: session.id, email: user.email }, paths.events);
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, await this.view.invoice(frame, user, hash));
  }

  @Post('receive/:hash/cancel')
  @Public()
  async cancel(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.gate.form(request);
    await this.receiving.cancel(visitor.user.id, hash);
    void reply.code(303).header('location', paths.invoice(hash)).send();
  }
}
