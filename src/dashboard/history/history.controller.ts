import { Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import { PageController, PageRenderer } from '../../page/index.js';
import { HistoryPageService } from './history.service.js';
import { historyPage } from './history.view.js';
import { transactionPage } from './transaction.view.js';

/** `/dashboard/history`: the payments of a person, and each one's outcome. */
@PageController('dashboard/history')
@PageSession()
export class HistoryController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: HistoryPageService,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const model = await this.service.list(visitor.user.id, query);
    await this.renderer.send(reply, visitor, (frame) => historyPage({ ...model, frame }), { live: true });
  }

  @Get('csv')
  async file(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const pieces = await this.service.file(visitor.user.id);
    void reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="sluice-history.csv"')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(pieces));
  }

  @Get(':id')
  async transaction(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const model = await this.service.transaction(visitor.user.id, id);
    const { username } = visitor.user;
    await this.renderer.send(reply, visitor, (frame) => transactionPage({ ...model, frame, username }), { live: true });
  }
}
