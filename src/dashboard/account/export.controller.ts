import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { WaitsElsewhere } from '../../edge/http/index.js';
import { DataExportService } from '../../money/personal-data/index.js';
import { Downloads } from '../downloads.js';
import { DashboardPages } from '../screen.js';

const FILE = { type: 'application/json', name: 'sluice-data.json' };

@DashboardPages('/account/export')
export class ExportController {
  constructor(
    private readonly exports: DataExportService,
    private readonly downloads: Downloads,
  ) {}

  @Get()
  @WaitsElsewhere()
  file(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    return this.downloads.send(visitor, reply, FILE, (asked) => this.exports.download(asked));
  }
}
