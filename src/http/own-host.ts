import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/index.js';
import { isAllAddresses, isLoopback } from '../kernel/loopback.js';
import { sendProblem } from './problem.js';

/** RFC 9110 section 7.2: a name or an IP address, with an optional port. */
const HOST = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{0,5})?$/i;

/**
 * May this `Host` header be meant for this server? Any page that the user of a demo visits could reach the demo if that page's name
 * resolves to this machine (DNS rebinding): the browser then treats the demo's responses as same-origin. So a demo answers only to names
 * of this machine. An IP address cannot be rebound.
 */
export function isOwnHost({ mode, host }: Pick<Config, 'mode' | 'host'>, header: string | undefined): boolean {
  if (mode !== 'demo') return true;
  const name = HOST.exec(header ?? '')?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const own = host.toLowerCase();
  if (isLoopback(name) || name === own) return true;
  const bare = name.replace(/^\[|\]$/g, '');
  return bare === own || (isAllAddresses(own) && isIP(bare) !== 0);
}

/** Load balancers and containers may request `/health/` by any name. */
export function guardHost(fastify: FastifyInstance, config: Config): void {
  fastify.addHook('onRequest', (request: FastifyRequest, reply, done) => {
    if (isOwnHost(config, request.headers.host) || request.url.startsWith('/health/')) return done();
    sendProblem(reply, 'otherHost');
  });
}
