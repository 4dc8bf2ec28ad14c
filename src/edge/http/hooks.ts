import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** Every request passes these in this order. Fastify runs the hooks of one phase as they are registered; no other code registers any. */
const ORDER = {
  host: 'before all that may answer: a request for another host, or for none that is clear, must not learn anything else',
  health: 'before all that costs more than the answer',
  cors: 'before all that may answer: scripts of other origins can then read refusals too, and a preflight carries no credential',
  cookies: 'before all that read a cookie, error pages included',
  compression: 'before the routes are registered, because it is set for each route',
  admission: 'limits, principal and slots: before anything that costs more than reading the headers',
  apiPage: 'after admission: it costs work, so the address must be counted',
  bodies: 'what is wrong with the headers of a body or with the method: before the body is read',
  formEndpoints: 'after admission, before a parser whose errors are not those of OAuth',
  returnPages: 'before the routes are registered: it notes the pages that a sign-in may lead to',
  notFound: 'after `bodies`, which finds out whether another method is allowed: 405 is not 404',
  metrics: 'counts responses, whichever hook has sent them',
} as const;

export type HookStage = keyof typeof ORDER;
type Attach = (fastify: FastifyInstance) => void | Promise<void>;

/** Commands have no server: they never attach the hooks. */
@Injectable()
export class Hooks {
  private readonly byStage = new Map<HookStage, Attach>();

  /** @throws Error when the stage has a hook already */
  add(stage: HookStage, attach: Attach): void {
    if (this.byStage.has(stage)) throw new Error(`Two hooks for "${stage}"`);
    this.byStage.set(stage, attach);
  }

  /** Must be called before the routes are registered. */
  async attachTo(fastify: FastifyInstance): Promise<void> {
    for (const stage of Object.keys(ORDER) as HookStage[]) await this.byStage.get(stage)?.(fastify);
  }
}
