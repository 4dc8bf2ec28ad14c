import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { subscribe, type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { handleProtocols, makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { ANONYMOUS, EVENT_COST, TOO_MANY_CALLS, type CallLimits, type GqlContext } from '../auth/index.js';
import { Config } from '../../platform/config/index.js';
import { SlowReaderError, type Stream } from '../../platform/events/index.js';
import { costOf, publicError } from '../graphql/index.js';
import { CloseCode, hasValidHost, isOwnHost, QUEUE_LIMITS, type Work } from '../http/index.js';
import { Log } from '../../platform/logging/index.js';
import { addressOf } from '../rate-limit/index.js';
import { closeConnection, ownStream, type SocketConnection, type ConnectionExtra, ConnectionRegistry } from './connection-registry.js';
import { ConnectionAuthenticator } from './connection-authenticator.js';
import { subscribeEach, subscribeToPrices } from './event-execution.js';
import { SharedFeeds, type Share, type Source } from './shared-feeds.js';
import { SubscriptionExecutor, type PrepareResult } from './subscription-executor.js';
import { MAX_QUEUE_BYTES, openTransport } from './transport.js';

/** Fragments of one message, and chunks of one unfinished frame: `ws` stores each with some hundred bytes of overhead. */
const PIECES = { maxFragments: 256, maxBufferedChunks: 4_096 };
/** A client may take `initMs` for `connection_init`, and must answer a ping before the next one. */
export const SOCKET_TIMES = { initMs: 3_000, pingMs: 12_000 };
/** Open sockets of this process, also those that have not authenticated yet. */
const MAX_SOCKETS = 10_000;
/** Public subscriptions whose results do not depend on the caller. */
const SHARED_FIELDS: ReadonlySet<string> = new Set([
  'lnInvoicePaymentStatus',
  'lnInvoicePaymentStatusByHash',
  'lnInvoicePaymentStatusByPaymentRequest',
  'price',
  'realtimePrice',
]);

/** These have an event at each change of the price. */
const PRICE_FIELDS: ReadonlySet<string> = new Set(['price', 'realtimePrice']);

const TOO_LARGE = 'The open subscriptions take too much memory: end some, or send shorter messages';

/** With a code always, as Apollo gives over HTTP. */
const publicErrors = (errors: readonly GraphQLError[]): GraphQLError[] =>
  errors.map((error) => {
    const { extensions, ...others } = error.toJSON();
    return publicError({ ...others, extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions } }, error) as unknown as GraphQLError;
  });
const publicResult = (result: ExecutionResult): ExecutionResult =>
  result.errors ? { ...result, errors: publicErrors(result.errors) } : result;

@Injectable()
export class SocketServer implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Log(SocketServer.name);
  private readonly feeds = new SharedFeeds((result) => JSON.stringify(publicResult(result)));
  private readonly sockets: WebSocketServer;
  private readonly protocol: Server<ConnectionExtra>;
  private readonly limits: CallLimits;
  private closing = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly authenticator: ConnectionAuthenticator,
    private readonly registry: ConnectionRegistry,
    private readonly executor: SubscriptionExecutor,
    private readonly config: Config,
  ) {
    this.limits = authenticator.limits;
    this.sockets = new WebSocketServer({ noServer: true, maxPayload: registry.settings.SOCKET_MESSAGE_BYTES, ...PIECES, handleProtocols });
    this.protocol = makeServer<Record<string, unknown>, ConnectionExtra>({
      connectionInitWaitTimeout: SOCKET_TIMES.initMs,
      onConnect: (connection) => {
        connection.extra.isAuthenticating = true; // until the acknowledgement is sent
        return this.authenticator.admit(connection);
      },
      onClose: (connection) => this.registry.forget(connection),
      onSubscribe: (connection, id, payload) => this.onSubscribe(connection, id, payload),
      subscribe: (args) => this.subscribe(args) as ReturnType<typeof subscribe>,
      onNext: (_connection, _id, _payload, _args, result) => publicResult(result),
      onError: (connection, _id, _payload, errors) => {
        if (!errors.some(({ originalError }) => originalError instanceof SlowReaderError)) return publicErrors(errors);
        closeConnection(connection, CloseCode.tryAgainLater, 'Too slow');
        return [new GraphQLError('Too slow')]; // never sent: the connection is closed
      },
    });
  }

  onApplicationBootstrap(): void {
    // The operator's commands run the application without an HTTP server.
    const server = this.host.httpAdapter?.getHttpServer() as HttpServer | undefined;
    server?.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => this.upgrade(request, raw, head));
  }

  /** Runs before Apollo drains: closing an HTTP server waits for upgraded connections too. */
  onModuleDestroy(): void {
    this.closing = true;
    for (const client of this.sockets.clients) client.close(CloseCode.goingAway, 'Going away');
  }

  beforeApplicationShutdown(): void {
    for (const client of this.sockets.clients) client.terminate();
  }

  private upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
    // Destroyed, not only half-closed: the HTTP server's timeouts no longer apply, and a peer that never closes would keep the connection.
    const refuse = (status: string): void =>
      void raw.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => raw.destroy());
    raw.on('error', () => raw.destroy());
    // Its pipeline was too long.
    if (raw.destroyed) return;
    if (this.closing || this.sockets.clients.size >= MAX_SOCKETS) return refuse('503 Service Unavailable');
    const address = addressOf(request.socket.remoteAddress, request.headers['x-forwarded-for'], this.config.trustProxyHops);
    if (!this.limits.countAddress(address)) return refuse('429 Too Many Requests');
    if (!hasValidHost(request)) return refuse('400 Bad Request');
    if (!isOwnHost(this.config, request.headers.host)) return refuse('421 Misdirected Request');
    this.sockets.handleUpgrade(request, raw, head, (socket) => {
      const extra: ConnectionExtra = { socket, request, address, streams: new Set() };
      openTransport(this.protocol, extra, {
        pingMs: SOCKET_TIMES.pingMs,
        log: this.log,
        mayTalk: () => this.limits.countAddress(address),
        hasSlot: () => extra.isPreparing !== true && this.registry.hasSlot(extra),
        maxWaitMs: QUEUE_LIMITS.ageMs,
      });
    });
  }

  private onSubscribe(connection: SocketConnection, id: string, payload: SubscribePayload): Begun | Promise<Begun> {
    const { principal = ANONYMOUS } = connection.extra;
    const tooMany = this.registry.hasTooManySubscriptions(connection);
    if (tooMany || !this.limits.countCall(principal)) {
      const reason = tooMany ? 'Too many subscriptions' : 'Too many requests';
      closeConnection(connection, CloseCode.tooManyRequests, reason);
      return [new GraphQLError(reason)]; // never sent: the connection is closed
    }
    const work = this.registry.begin(connection.extra);
    const asked: Asked = { connection, id, payload, work };
    try {
      const prepared = this.executor.prepare(payload, work);
      return prepared instanceof Promise ? this.inTurn(asked, prepared) : this.begin(asked, prepared);
    } catch (error) {
      work.end();
      throw error;
    }
  }

  private async inTurn(asked: Asked, prepared: Promise<PrepareResult>): Promise<Begun> {
    const { extra } = asked.connection;
    extra.isPreparing = true;
    try {
      return this.begin(asked, await prepared);
    } catch (error) {
      asked.work.end();
      throw error;
    } finally {
      extra.isPreparing = false;
      setImmediate(() => extra.resume?.()); // after graphql-ws has started this operation
    }
  }

  private begin(asked: Asked, prepared: PrepareResult): Begun {
    const begun = this.argsFor(asked, prepared);
    if (Array.isArray(begun)) asked.work.end();
    // graphql-ws keeps the payload until the subscription ends, and it may contain anything.
    for (const name of Object.keys(asked.payload)) Reflect.deleteProperty(asked.payload, name);
    return begun;
  }

  private argsFor({ connection, id, payload, work }: Asked, prepared: PrepareResult): Begun {
    if (!('args' in prepared)) return prepared;
    const { extra } = connection;
    const { principal = ANONYMOUS, address, request, hint, socket, messageLength = 0 } = extra;
    if (socket.readyState !== socket.OPEN) return [new GraphQLError('Gone')]; // never sent: the connection has closed
    if (!this.limits.charge({ principal, address }, costOf(prepared.operation)))
      return [new GraphQLError(TOO_MANY_CALLS, { extensions: { code: 'TOO_MANY_REQUEST' } })];
    const end = this.registry.keep(extra, prepared.args.document, messageLength);
    if (!end) return [new GraphQLError(TOO_LARGE, { extensions: { code: 'TOO_MANY_REQUEST' } })];
    const cost = costOf(prepared.operation) + EVENT_COST;
    const context: SocketContext = { req: request, principal, address, hint, work, cost, connection: extra, end };
    const [field] = prepared.operation.selectionSet.selections;
    if (field?.kind !== 'Field' || !SHARED_FIELDS.has(field.name.value)) return { ...prepared.args, contextValue: context };
    const { query, operationName } = payload;
    // Keyed by the coerced variables: the raw ones may hold anything, at any depth.
    const key = JSON.stringify([query, operationName, prepared.variables]);
    const share: Share = { key, isOfPrices: PRICE_FIELDS.has(field.name.value), send: (json) => this.sendNext(connection, id, json) };
    return { ...prepared.args, contextValue: { ...context, share } };
  }

  /** A shared feed runs as the anonymous principal: what only its first subscriber may see must not reach the others. */
  private async subscribe(args: ExecutionArgs): Promise<unknown> {
    const context = args.contextValue as SocketContext;
    try {
      const opened = await this.streamOf(args, context);
      if (isStream(opened)) return ownStream(context.connection, opened, context.end);
      context.end();
      return opened;
    } catch (error) {
      context.end();
      throw error;
    } finally {
      context.work?.end(); // the stream is open: it only waits for events
      context.connection.resume?.();
    }
  }

  private streamOf(args: ExecutionArgs, context: SocketContext): unknown {
    const { share, work, connection: _connection, ...rest } = context;
    if (!share) return subscribeEach(args, work, () => this.charge(context));
    // Without the work: the feed outlives the connection of its first subscriber.
    const shared = { ...args, contextValue: { ...rest, principal: ANONYMOUS } };
    return this.feeds.join(share, () =>
      share.isOfPrices && work ? subscribeToPrices(shared, work.all.thread, work.owner) : (subscribe(shared) as Promise<Source>),
    );
  }

  private charge({ principal, address, cost }: SocketContext): void {
    if (!this.limits.countEvent(principal, address, cost))
      throw new GraphQLError(TOO_MANY_CALLS, { extensions: { code: 'TOO_MANY_REQUEST' } });
  }

  /** Shared feeds bypass graphql-ws and its back-pressure, so a client that does not read is disconnected. */
  private sendNext(connection: SocketConnection, id: string, json: string): void {
    const { socket } = connection.extra;
    if (socket.bufferedAmount > MAX_QUEUE_BYTES) closeConnection(connection, CloseCode.tryAgainLater, 'Too slow');
    else if (socket.readyState === socket.OPEN) socket.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`);
  }
}

const isStream = (opened: unknown): opened is Stream<unknown> =>
  typeof opened === 'object' && opened !== null && Symbol.asyncIterator in opened;

interface SocketContext extends GqlContext {
  readonly share?: Share;
  readonly connection: ConnectionExtra;
  readonly cost: number;
  readonly end: () => void;
}

type Begun = readonly GraphQLError[] | ExecutionArgs;

interface Asked {
  readonly connection: SocketConnection;
  readonly id: string;
  readonly payload: SubscribePayload;
  readonly work: Work;
}
