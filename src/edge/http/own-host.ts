import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/index.js';
import { ALL_ADDRESSES, isLoopback } from '../../platform/kernel/loopback.js';
import { sendProblem } from './problem.js';

/** RFC 9110 section 7.2: a name or an IP address, with an optional port. The name may be empty. */
const HOST = /^(\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d{0,5})?$/i;

/** RFC 9112 section 3.2: one `Host` line with a valid value, which only HTTP/1.0 may omit. Of several lines, `headers` has the first only. */
export function hasValidHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  const lines = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  return lines === 0 ? httpVersion === '1.0' : lines === 1 && HOST.test(headers.host ?? '');
}

/**
 * Any page that the user of a demo visits could reach the demo if its name resolves to this machine (DNS rebinding), and would be
 * same-origin. So a demo answers only to names of this machine; an IP address cannot be rebound.
 */
export function isOwnHost({ mode, host }: Pick<Config, 'mode' | 'host'>, header: string | undefined): boolean {
  if (mode !== 'demo') return true;
  const name = HOST.exec(header ?? '')?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const own = host.toLowerCase();
  if (isLoopback(name) || name === own) return true;
  const bare = name.replace(/^\[|\]$/g, '');
  return bare === own || (ALL_ADDRESSES.has(own) && isIP(bare) !== 0);
}

/** Load balancers and containers may request `/health/` by any name. */
export function guardHost(fastify: FastifyInstance, config: Config): void {
  fastify.addHook('onRequest', (request: FastifyRequest, reply, done) => {
    if (!hasValidHost(request.raw)) return sendProblem(reply, 'invalidHost');
    if (isOwnHost(config, request.headers.host) || request.url.startsWith('/health/')) return done();
    sendProblem(reply, 'otherHost');
  });
}
