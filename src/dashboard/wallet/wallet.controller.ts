import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageRenderer } from '../../edge/page/index.js';
import { WalletPageService } from './wallet.service.js';
import { walletPage } from './wallet.view.js';

@PageController('dashboard')
@PageSession()
export class WalletController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: WalletPageService,
  ) {}

  @Get()
  async wallet(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const { id, username } = visitor.user;
    const model = await this.service.read(id);
    await this.renderer.send(reply, visitor, (frame) => walletPage({ ...model, frame, username }), { live: true });
  }
}
