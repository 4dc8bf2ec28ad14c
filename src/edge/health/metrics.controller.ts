import { Controller, Get, Res, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../auth/index.js';
import { Config } from '../../platform/config/index.js';
import { sendProblem } from '../http/index.js';
import { equalHashes, hashToken } from '../../platform/kernel/token.js';
import { Metrics } from '../../platform/metrics/index.js';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const FORWARDED = /^(forwarded|via|x-forwarded-.*)$/;

const isOwn = ({ headers, raw }: FastifyRequest): boolean =>
  LOOPBACK.test(raw.socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => FORWARDED.test(name));

@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  @Get()
  @SkipCredentialCheck()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (this.isAllowed(request)) return void reply.header('content-type', this.metrics.contentType).send(await this.metrics.text());
    sendProblem(reply.header('www-authenticate', 'Bearer realm="metrics"'), 'metricsToken');
  }

  /** Behind a proxy every request comes from loopback: in production only the token counts. */
  private isAllowed(request: FastifyRequest): boolean {
    const { metricsToken, mode } = this.config;
    const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (metricsToken !== undefined && shown !== undefined) return equalHashes(hashToken(shown), hashToken(metricsToken));
    return mode === 'demo' && isOwn(request);
  }
}
