import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/index.js';
import { Readiness } from './readiness.js';

/** For supervisors and load balancers. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers. */
  @Get('live')
  @Public()
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** Traffic may come: 200, else 503 with what is missing. */
  @Get('ready')
  @Public()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<{ status: string; waitingFor?: string[] }> {
    const waitingFor = await this.readiness.obstacles();
    if (waitingFor.length === 0) return { status: 'ok' };
    reply.code(503).header('retry-after', 1);
    return { status: 'not ready', waitingFor };
  }
}
