import { Controller, Get, Header, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/index.js';
import { SERVER } from './port-holder.js';
import { Readiness, type Health } from './readiness.js';

@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Public()
  @Header('server', SERVER)
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @Header('server', SERVER)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<{ status: string } & Partial<Health>> {
    const { waitingFor, degraded } = await this.readiness.check();
    if (waitingFor.length === 0) return { status: 'ok', ...(degraded.length > 0 && { degraded }) };
    reply.code(503).header('retry-after', 1);
    return { status: 'not ready', waitingFor };
  }
}
