import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallLimits, CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { readInTurn, RETRY_AFTER, WaitsElsewhere } from '../../edge/http/index.js';
import { PageError } from '../../edge/page/index.js';
import { DataExportService } from '../../money/personal-data/index.js';
import { DashboardPages } from '../screen.js';

@DashboardPages('/account/export')
export class ExportController {
  constructor(
    private readonly exports: DataExportService,
    private readonly callLimits: CallLimits,
  ) {}

  /** Its rows count in the limits of the session and the account. */
  @Get()
  @WaitsElsewhere()
  file(@CurrentVisitor() { principal, user }: Visitor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const charge = (cost: number): boolean => this.callLimits.chargeMore(principal, cost);
    const inTurn = <T>(read: () => Promise<T>): T | Promise<T> => readInTurn(request, user.id, read);
    // For HEAD, Fastify would read a file to its end.
    const file = request.method === 'HEAD' ? '' : this.exports.download({ inTurn, userId: user.id, charge });
    if (file === undefined) throw new PageError({ kind: 'error', error: 'busy', retryAfterSeconds: RETRY_AFTER.busy });
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="sluice-data.json"')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(file);
  }
}
