import compress from '@fastify/compress';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, onSendHookHandler, RouteOptions } from 'fastify';

/** gzip only: every client takes it, and brotli saves a tenth of the bytes more, or at its best costs ten times the processor. */
const OPTIONS = {
  encodings: ['gzip' as const],
  customTypes: /^(?:application\/(?:graphql-response\+)?json|text\/(?:css|javascript)|image\/svg\+xml)\b/,
  globalDecompression: false,
};

/**
 * Where answers are compressed, and from how many bytes on (ADR 0024): what is the same for everybody, and the API, where no browser sends credentials by
 * itself. Pages are not: they carry what is secret beside what strangers wrote, and their length would tell of it. A short answer of the API would cost as
 * much processor to compress as to make.
 */
const LEAST_BYTES: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^\/graphql$/, 8_192],
  [/^\/assets\//, 1_024],
  [/^\/\.well-known\/(?:openid-configuration|oauth-authorization-server|jwks\.json)$/, 1_024],
];

/** A character of JavaScript takes no more bytes than that. */
const LONGEST_CHARACTER = 3;

/** Most answers of the API are short: nothing is asked of their type, or of what their caller takes. */
const passShort = (threshold: number, compressLong: onSendHookHandler): onSendHookHandler =>
  function (request, reply, payload, done) {
    if (typeof payload === 'string' && payload.length * LONGEST_CHARACTER < threshold) return done(null, payload);
    return compressLong.call(this, request, reply, payload, done);
  };

/** Has to come before the routes, of which each is compressed or not. */
export async function compressAnswers(adapter: FastifyAdapter): Promise<void> {
  const fastify = adapter.getInstance<FastifyInstance>();
  const thresholdOf = (route: RouteOptions): number | undefined => LEAST_BYTES.find(([path]) => path.test(route.url))?.[1];
  fastify.addHook('onRoute', (route) => {
    const threshold = thresholdOf(route);
    route.compress = threshold !== undefined && { ...OPTIONS, threshold };
  });
  await fastify.register(compress, { ...OPTIONS, global: false });
  // What the plugin has put onto a route is its own hook alone: others are the whole application's.
  fastify.addHook('onRoute', (route) => {
    const threshold = thresholdOf(route);
    if (threshold !== undefined && route.onSend)
      route.onSend = ([route.onSend].flat() as onSendHookHandler[]).map((hook) => passShort(threshold, hook));
  });
}
