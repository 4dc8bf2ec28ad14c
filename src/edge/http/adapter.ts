import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { sendProblem, sendProblemText } from './problem.js';
import { boundConnections, destroyIfUnread, isBeyondPipeline, responseOn } from './connections.js';

const BODY_LIMIT_BYTES = 256 * 1024;
export const FORM_LIMIT_BYTES = 16 * 1024;
/** No legitimate client sends a body this slowly. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Must be below REQUEST_TIMEOUT_MS: Node applies the smaller value to the headers and the larger to the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const LOOK_FOR_SLOW_ONES_MS = 2_500;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** @param peerOf as in {@link boundConnections} */
export function createAdapter(peerOf: Parameters<typeof boundConnections>[1]): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: LOOK_FOR_SLOW_ONES_MS, IncomingMessage: Request },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    // URLs that the router cannot decode. No limit of calls counts them, so that each costs a connection.
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply.header('connection', 'close'), 'unreadableAddress'),
    clientErrorHandler(error, socket) {
      // Browsers open connections in advance. An answer on one without a request would meet the next request, and be shown as its answer.
      if (socket.bytesRead === 0) socket.destroy();
      else refuse(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request');
    },
  });
  boundConnections(adapter.getInstance(), peerOf);
  return adapter;
}

/** Destroyed, not only half-closed: a client that never closes would keep the connection open. */
function refuse(socket: Socket, status: string): void {
  const end = (): void => void socket.destroy();
  if (!socket.writable || isAnswering(socket)) return end();
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, end);
}

/** The client would take text of ours for the response in progress, or for a part of it. */
function isAnswering(socket: Socket): boolean {
  const response = responseOn(socket);
  return response != null && (response.headersSent || response.req.complete);
}

/** Forms stay text, because their reader must detect repeated parameters. */
export const registerFormParser = (adapter: FastifyAdapter): unknown =>
  adapter.useBodyParser(
    'application/x-www-form-urlencoded',
    false,
    { bodyLimit: FORM_LIMIT_BYTES },
    (_request: unknown, body: Buffer, done: (error: Error | null, body?: unknown) => void) => done(null, body.toString('utf8')),
  );

/** @param isLeaving when true, every response closes its connection: a kept one would delay shutdown */
export function checkRequests(fastify: FastifyInstance, isLeaving: () => boolean): void {
  // Not routed by Fastify. Without this listener, Node closes the connection without an answer.
  fastify.server.on('connect', ({ socket }) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, `405 Method Not Allowed\r\nallow: ${METHODS.join(', ')}`);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    // The client is gone: the response must not wait for it to read.
    if (socket.destroyed && typeof payload === 'string') return done(null, '');
    destroyIfUnread(socket);
    // Node does not read further requests that arrived in the same packet behind an ignored upgrade.
    if (isLeaving() || ignoresUpgrade(request.raw)) reply.header('connection', 'close');
    done(null, payload);
  });
  fastify.addHook('preSerialization', (request, _reply, payload, done) => done(null, asGraphql(request, payload)));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isEncoded(request)) return sendProblem(reply.header('accept-encoding', 'identity'), 'encodedBody');
    if (isNoGraphql(request)) return sendProblem(reply, 'notJson');
    if (!request.is404) return done();
    const allowed = methodsOf(fastify, request);
    if (allowed.length === 0 || request.method === 'OPTIONS') return done();
    reply.header('allow', allowed.join(', '));
    // The stage `notFound` draws a page.
    if (isLookedAt(request)) return done();
    const message = `Method ${request.method} is not allowed here. Allowed methods: ${allowed.join(', ')}.`;
    return sendProblemText(reply, { code: 405, status: 'METHOD_NOT_ALLOWED', message });
  });
}

/** A type without a parser would get another answer from Fastify, and one with a parser of its own another body. */
const isNoGraphql = ({ method, routeOptions: { url }, headers }: FastifyRequest): boolean =>
  url === '/graphql' && method === 'POST' && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? '');

/** Decompression can expand a body a thousand times, and no client needs compression for bodies this short. */
const isEncoded = ({ headers }: FastifyRequest): boolean => !/^(identity)?$/i.test(headers['content-encoding'] ?? '');

/** Of refusals from before GraphQL that have one of its codes, by their status. */
const CODES: Readonly<Record<string, string>> = { INVALID_INPUT: 'BAD_REQUEST', ACCESS_PAUSED: 'ACCESS_PAUSED' };

/** Adds `errors` to a refusal from before GraphQL: a client that reads only `errors` would take a wrong key for a success without data. */
function asGraphql(request: FastifyRequest, payload: unknown): unknown {
  const { error, errors } = payload as {
    readonly error?: { readonly status?: unknown; readonly message?: unknown };
    readonly errors?: unknown;
  };
  if (typeof error?.message !== 'string' || errors !== undefined || pathOf(request) !== '/graphql') return payload;
  const code = CODES[String(error.status)];
  return { ...(payload as object), errors: [{ message: error.message, ...(code !== undefined && { extensions: { code } }) }] };
}

function methodsOf(fastify: FastifyInstance, request: FastifyRequest): string[] {
  const url = pathOf(request);
  return METHODS.filter((method) => fastify.findRoute({ method, url }) !== null);
}

/** A person has opened an address that no route has, at least not for `GET`. */
export const isLookedAt = ({ is404, method, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');

/** A regular expression would take quadratic time in the number of trailing slashes. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.split('?', 1);
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const SOCKETS = /^\/graphql\/?(?:\?|$)/;
const OFFERED = Symbol('an upgrade is offered');

/** The upgrades that Node may handle: to WebSocket, at /graphql, and the CONNECT method. */
const isKnown = ({ method, url = '', headers: { upgrade = '' } }: IncomingMessage): boolean =>
  method === 'CONNECT' || (upgrade.toLowerCase() === 'websocket' && SOCKETS.test(url));

/** The request offers an upgrade that the server does not take: it is answered as if it offered none (RFC 9110, 7.8). */
const ignoresUpgrade = (request: IncomingMessage): boolean => (request as Request)[OFFERED] === true && !isKnown(request);

/**
 * With an `upgrade` listener, Node 20 passes it every request with `Upgrade`, by the property `upgrade` (Node 24: `shouldUpgradeCallback`).
 * Behind an upgrade Node parses nothing more: so the first request beyond the limit of a pipeline is one, on a connection that is destroyed.
 */
export class Request extends IncomingMessage {
  [OFFERED] = false;
  private readonly isBeyond: boolean;
  declare upgrade: boolean;

  constructor(socket: Socket) {
    super(socket);
    this.isBeyond = isBeyondPipeline(socket);
  }

  static {
    Object.defineProperty(this.prototype, 'upgrade', {
      get(this: Request): boolean {
        return this.isBeyond || (this[OFFERED] && isKnown(this));
      },
      set(this: Request, offered: unknown) {
        if (offered === true) this[OFFERED] = true;
      },
    });
  }
}
