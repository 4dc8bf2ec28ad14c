import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../auth/index.js';
import { PageController, PageRenderer } from '../page/index.js';
import { WalletPages } from './wallet-pages.js';

/** `/dashboard`: the wallet. */
@PageController('dashboard')
@PageSession()
export class WalletController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly view: WalletPages,
  ) {}

  @Get()
  async wallet(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.renderer.send(reply, visitor, (frame) => this.view.wallet(frame, visitor.user), { live: true });
  }
}
