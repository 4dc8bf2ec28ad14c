import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readiness } from './readiness.js';

const [LIVE, READY] = ['/health/live', '/health/ready'] as const;
export const HEALTH_PATHS = [LIVE, READY];

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/**
 * `/health/live` and `/health/ready`. Supervisors and load balancers ask often, so that the first hooks answer: the later ones, the guards
 * and the writer of responses would take most of the time. No limit counts these requests, because a supervisor would restart a process
 * that refuses to say how it is.
 */
@Injectable()
export class HealthHook {
  constructor(private readonly readiness: Readiness) {}

  attach(fastify: FastifyInstance): void {
    const answers = new Map<string, (reply: FastifyReply) => void>([
      [LIVE, (reply) => this.send(reply, 200, { status: 'ok' })],
      [READY, (reply) => void this.sendReadiness(reply)],
    ]);
    // The routes make the paths known, to 405 and to the metrics.
    for (const url of HEALTH_PATHS) fastify.get(url, (_request, reply) => reply.callNotFound());
    fastify.addHook('onRequest', (request, reply, done) => {
      const answer = answers.get(request.routeOptions.url ?? '');
      if (!answer) return done();
      reply.hijack();
      answer(reply);
    });
  }

  private async sendReadiness(reply: FastifyReply): Promise<void> {
    const { waitingFor, degraded } = await this.readiness.check();
    if (waitingFor.length > 0) return this.send(reply, 503, { status: 'not ready', waitingFor }, { 'retry-after': '1' });
    this.send(reply, 200, { status: 'ok', ...(degraded.length > 0 && { degraded }) });
  }

  private send({ raw }: FastifyReply, status: number, body: object, headers: Record<string, string> = {}): void {
    raw.statusCode = status;
    for (const [name, value] of Object.entries({ ...HEADERS, ...headers })) raw.setHeader(name, value);
    // Node reads nothing more of a connection behind an upgrade that was not taken.
    if (this.readiness.isLeaving || raw.req.headers.upgrade !== undefined) raw.setHeader('connection', 'close');
    raw.end(JSON.stringify(body));
  }
}
