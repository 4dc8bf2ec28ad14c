import compress from '@fastify/compress';
import type { FastifyInstance, onSendHookHandler, RouteOptions } from 'fastify';

/** gzip only: every client accepts it; brotli saves a tenth more bytes, or at its best level takes ten times the CPU time. */
const OPTIONS = {
  encodings: ['gzip' as const],
  customTypes: /^(?:application\/(?:graphql-response\+)?json|text\/(?:css|javascript)|image\/svg\+xml)\b/,
  globalDecompression: false,
};

/**
 * Public files, and the API, to which browsers send no credentials by themselves (ADR 0012). A page holds secrets beside text of other
 * users, and its compressed length would leak them. A short response would take as much CPU time as producing it.
 */
const MIN_BYTES: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^\/graphql$/, 8_192],
  [/^\/assets\//, 1_024],
  [/^\/\.well-known\/(?:openid-configuration|oauth-authorization-server|jwks\.json)$/, 1_024],
];

const MAX_CHARACTER_BYTES = 3;

/** Most responses of the API are short: they skip the checks of the media type and of `Accept-Encoding`. */
const passShort = (threshold: number, compressLong: onSendHookHandler): onSendHookHandler =>
  function (request, reply, payload, done) {
    if (typeof payload === 'string' && payload.length * MAX_CHARACTER_BYTES < threshold) return done(null, payload);
    return compressLong.call(this, request, reply, payload, done);
  };

/** Must be called before the routes are registered, because it sets compression per route. */
export async function compressAnswers(fastify: FastifyInstance): Promise<void> {
  const thresholdOf = (route: RouteOptions): number | undefined => MIN_BYTES.find(([path]) => path.test(route.url))?.[1];
  fastify.addHook('onRoute', (route) => {
    const threshold = thresholdOf(route);
    route.compress = threshold !== undefined && { ...OPTIONS, threshold };
  });
  await fastify.register(compress, { ...OPTIONS, global: false });
  // `route.onSend` holds the plugin's hook only: the other hooks are registered for the whole application.
  fastify.addHook('onRoute', (route) => {
    const threshold = thresholdOf(route);
    if (threshold !== undefined && route.onSend)
      route.onSend = ([route.onSend].flat() as onSendHookHandler[]).map((hook) => passShort(threshold, hook));
  });
}
