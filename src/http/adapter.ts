import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { giveUpUnread } from './unread-answers.js';
import { ignoresUpgrade, Request } from './upgrade.js';

const JSON_LIMIT_BYTES = 256 * 1024;
const FORM_LIMIT_BYTES = 16 * 1024;
/** Slow request bodies are cut off after this time; no legitimate client is that slow. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Must be below REQUEST_TIMEOUT_MS: Node applies the smaller value to the headers and the larger to the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const LOOK_FOR_SLOW_ONES_MS = 2_500;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Fastify as Sluice runs it. */
export function createAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: JSON_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: LOOK_FOR_SLOW_ONES_MS, IncomingMessage: Request },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    // JSON bodies never set prototypes.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    // URLs that the router cannot decode.
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      void answer(reply, 400, 'BAD_REQUEST', 'This address cannot be read'),
    clientErrorHandler(_error, socket) {
      // Destroyed, not only half-closed: a client that never closes would keep the connection open.
      const end = (): void => void socket.destroy();
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', end);
      else end();
    },
  });
}

const answer = (reply: FastifyReply, code: number, status: string, message: string): FastifyReply =>
  reply.code(code).send({ error: { code, status, message } });

/**
 * Bodies, unknown paths, unsupported methods and media types, and failures before any handler runs.
 * @param isLeaving when true, every response closes its connection: a kept one would delay shutdown, and its client must reconnect anyway
 */
export function configureHttp(adapter: FastifyAdapter, isLeaving: () => boolean): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    // The client is gone: the response must not wait for it to read.
    if (socket.destroyed && typeof payload === 'string') return done(null, '');
    giveUpUnread(socket);
    // Node does not read further requests that arrived in the same packet behind an ignored upgrade.
    if (isLeaving() || ignoresUpgrade(request.raw)) reply.header('connection', 'close');
    done(null, payload);
  });
  // Forms stay text, because their reader must detect repeated parameters.
  adapter.useBodyParser(
    'application/x-www-form-urlencoded',
    false,
    { bodyLimit: FORM_LIMIT_BYTES },
    (_request: unknown, body: Buffer, done: (error: Error | null, body?: unknown) => void) => done(null, body.toString('utf8')),
  );
  fastify.addHook('preSerialization', (request, _reply, payload, done) => done(null, asGraphql(request, payload)));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isEncoded(request)) return answer(reply.header('accept-encoding', 'identity'), 415, 'UNSUPPORTED_MEDIA_TYPE', UNENCODED);
    if (isNoGraphql(request)) return answer(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the request as application/json');
    if (!request.is404) return done();
    const allowed = methodsOf(fastify, request);
    if (allowed.length === 0 || request.method === 'OPTIONS') return done();
    reply.header('allow', allowed.join(', '));
    return answer(reply, 405, 'METHOD_NOT_ALLOWED', `Method ${request.method} is not allowed here. Allowed methods: ${allowed.join(', ')}.`);
  });
}

/** Media types that have a parser of their own here, and that a GraphQL request may not use. */
const NO_JSON = /^(text\/plain|application\/x-www-form-urlencoded)\b/i;
const isNoGraphql = ({ method, routeOptions: { url }, headers }: FastifyRequest): boolean =>
  url === '/graphql' && method === 'POST' && NO_JSON.test(headers['content-type'] ?? '');

const UNENCODED = 'Send the body as it is, without Content-Encoding';
/** Decompression can expand a body a thousand times, and no client needs compression for bodies this short. */
const isEncoded = ({ headers }: FastifyRequest): boolean => !/^(identity)?$/i.test(headers['content-encoding'] ?? '');

/** Adds `errors` to a refusal from before GraphQL: a client that reads only `errors` would take a wrong key for a success without data. */
function asGraphql(request: FastifyRequest, payload: unknown): unknown {
  const { error, errors } = payload as { readonly error?: { readonly message?: unknown }; readonly errors?: unknown };
  if (typeof error?.message !== 'string' || errors !== undefined || pathOf(request) !== '/graphql') return payload;
  return { ...(payload as object), errors: [{ message: error.message }] };
}

/** The path without query and trailing slashes. A regular expression would take quadratic time in the number of slashes. */
function pathOf({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1);
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function methodsOf(fastify: FastifyInstance, request: FastifyRequest): string[] {
  const url = pathOf(request);
  return METHODS.filter((method) => fastify.findRoute({ method, url }) !== null);
}

/** The origins that may read each response. Pages and the authorization endpoint: same origin only, so no CORS headers. */
export function enableCors(adapter: FastifyAdapter): void {
  const graphql = {
    origin: true,
    credentials: true,
    methods: ['GET', 'POST'],
    exposedHeaders: ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
    maxAge: 86_400,
  };
  const open = { origin: '*', methods: ['GET', 'POST'], maxAge: 86_400 };
  const choose = (request: FastifyRequest, done: (error: Error | null, options: object) => void): void => {
    const path = pathOf(request);
    done(null, path === '/graphql' ? graphql : OPEN_PATHS.has(path) ? open : { origin: false });
  };
  adapter.enableCors((() => choose) as never);
}

const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/oauth2/token',
  '/oauth2/revoke',
  '/userinfo',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
]);
