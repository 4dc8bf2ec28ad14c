import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { CallLimits, CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { readInTurn, RETRY_AFTER, WaitsElsewhere } from '../../edge/http/index.js';
import { PageError } from '../../edge/page/index.js';
import type { FileRequest } from '../../money/transaction/index.js';
import { DashboardPages, type Screen } from '../screen.js';
import { HistoryPageService } from './history.service.js';
import { historyPage } from './history.view.js';
import { TransactionPageService } from './transaction.service.js';
import { transactionPage } from './transaction.view.js';

@DashboardPages('/history')
export class HistoryController {
  constructor(
    private readonly service: HistoryPageService,
    private readonly transactions: TransactionPageService,
    private readonly callLimits: CallLimits,
  ) {}

  /** The rows that a search reads count in the limits of the session and the account. */
  @Get()
  async list(@Query() query: Readonly<Record<string, unknown>>, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const model = await this.service.list(visitor.user.id, query, (cost) => this.callLimits.chargeMore(visitor.principal, cost));
    return { draw: (frame) => historyPage({ ...model, frame }), live: true };
  }

  /** Its rows count in the limits of the session and the account. */
  @Get('csv')
  @WaitsElsewhere()
  async file(@CurrentVisitor() visitor: Visitor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // For HEAD, Fastify would read a file to its end.
    const file = request.method === 'HEAD' ? '' : await this.download(visitor, request);
    void reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="sluice-history.csv"')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(file);
  }

  @Get(':id')
  async transaction(@Param('id') id: string, @CurrentVisitor() { user: { id: userId, username } }: Visitor): Promise<Screen> {
    const model = await this.transactions.find(userId, id);
    return { draw: (frame) => transactionPage({ ...model, frame, username }), live: true };
  }

  /** @throws PageError if other downloads of the account have not ended, or too many of the server */
  private async download({ principal, user }: Visitor, request: FastifyRequest): Promise<Readable> {
    const charge = (cost: number): boolean => this.callLimits.chargeMore(principal, cost);
    const inTurn: FileRequest['inTurn'] = (read) => readInTurn(request, user.id, read);
    const file = await this.service.file({ inTurn, userId: user.id, charge });
    if (!file) throw new PageError({ kind: 'error', error: 'busy', retryAfterSeconds: RETRY_AFTER.busy });
    return file;
  }
}
