import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { requireFreshFactor } from '../../access/signin/index.js';
import { CallLimits, CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { WaitsElsewhere } from '../../edge/http/index.js';
import { ApprovalService } from '../../money/payment/index.js';
import { Downloads } from '../downloads.js';
import { paths } from '../paths.js';
import { DashboardPages, type Redirect, type Screen } from '../screen.js';
import { withApproval } from './approval.view.js';
import { HistoryPageService } from './history.service.js';
import { historyPage } from './history.view.js';
import { TransactionPageService } from './transaction.service.js';
import { transactionPage } from './transaction.view.js';

const FILE = { type: 'text/csv', name: 'sluice-history.csv' };

@DashboardPages('/history')
export class HistoryController {
  constructor(
    private readonly service: HistoryPageService,
    private readonly transactions: TransactionPageService,
    private readonly callLimits: CallLimits,
    private readonly downloads: Downloads,
    private readonly approvals: ApprovalService,
  ) {}

  /** The rows that a search reads count in the limits of the session and the account. */
  @Get()
  async list(@Query() query: Readonly<Record<string, unknown>>, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const model = await this.service.list(visitor.user.id, query, (cost) => this.callLimits.chargeMore(visitor.principal, cost));
    return { draw: (frame) => historyPage({ ...model, frame }) };
  }

  @Get('csv')
  @WaitsElsewhere()
  file(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    return this.downloads.send(visitor, reply, FILE, (asked) => this.service.file(asked));
  }

  @Get(':id')
  async transaction(@Param('id') id: string, @CurrentVisitor() { user: { id: userId, username } }: Visitor): Promise<Screen> {
    const model = await this.transactions.find(userId, id);
    const approval = model.activity.approvalUntil === null ? undefined : await this.approvals.find(userId, id);
    return { draw: (frame) => transactionPage({ ...withApproval(model, approval), frame, username }), live: true };
  }

  /** Approves a payment that a key or app has asked for: the only way, and never by a link. Twice is once. */
  @Post(':id/approve')
  async approve(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Redirect> {
    requireFreshFactor(visitor, paths.transaction(id));
    await this.approvals.approve(visitor.user.id, id);
    return { seeOther: paths.transaction(id) };
  }

  @Post(':id/deny')
  async deny(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    await this.approvals.deny(user.id, id);
    return { seeOther: paths.transaction(id) };
  }
}
