import { isIP } from 'node:net';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/index.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);

/**
 * Whether a `Host` header may be meant for us. A demo is open to every page that its person visits, if that page's name is made to lead to
 * this machine (DNS rebinding): the browser then takes our answers for its own. So a demo answers to names of this machine alone. An address
 * in digits leads nowhere else.
 */
export function isOwnHost({ mode, host }: Pick<Config, 'mode' | 'host'>, header: string | undefined): boolean {
  if (mode !== 'demo') return true;
  const url = `http://${header ?? ''}`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const bare = hostname.replace(/^\[|\]$/g, '');
  return LOOPBACK.has(hostname) || hostname === host || bare === host || (ALL_ADDRESSES.has(host) && isIP(bare) !== 0);
}

/** Before anything else looks at a request. Balancers and containers ask for health by whatever name they know. */
export function guardHost(adapter: FastifyAdapter, config: Config): void {
  const message = 'A demo answers only requests for localhost, or for the address in HOST';
  adapter.getInstance<FastifyInstance>().addHook('onRequest', (request: FastifyRequest, reply, done) => {
    if (isOwnHost(config, request.headers.host) || request.url.startsWith('/health/')) return done();
    void reply.code(421).send({ error: { code: 421, status: 'MISDIRECTED_REQUEST', message } });
  });
}
