import { createClient, type Client as Socket } from 'graphql-ws';
import { EventQueue } from './event-queue.js';
import { RequestError, type ResponseError } from './request.error.js';
import { headersOf, textOf, type ClientCredential, type TypedDocument } from './requests.js';

/** Options of a client for its subscriptions. */
export interface SubscriptionSettings {
  /** Replaces the global `WebSocket`, which Node has from version 22 on: `WebSocket` of the package `ws`. */
  readonly webSocket?: unknown;
  /** Called when the client has connected again. Events in between are lost; the history has what they reported. */
  readonly onReconnect?: () => void;
}

/** Options of one subscription. */
export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/** Subscriptions over one WebSocket, which is open while there are any. */
export class Subscriptions {
  private socket: Socket | undefined;
  private readonly queues = new Set<EventQueue<unknown>>();

  constructor(
    private readonly url: URL,
    private readonly settings: ClientCredential & SubscriptionSettings,
  ) {}

  open<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables | undefined,
    { signal }: SubscribeOptions = {},
  ): AsyncIterableIterator<Data> {
    this.socket ??= this.connect();
    const queue = new EventQueue<Data>();
    const request = { query: textOf(document), variables: (variables ?? {}) as Record<string, unknown> };
    const abort = (): void => void queue.return();
    const end = (error?: RequestError): void => {
      signal?.removeEventListener('abort', abort);
      this.queues.delete(queue);
      queue.finish(error && { error });
    };
    const stop = this.socket.subscribe<Data>(request, {
      next: ({ data, errors }) => {
        if (errors) end(refused(errors));
        else if (data != null) queue.push(data);
      },
      error: (error) => end(errorOf(error)),
      complete: () => end(),
    });
    queue.stop = stop;
    this.queues.add(queue);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    return queue;
  }

  close(): void {
    for (const queue of this.queues) void queue.return();
    // It rejects while the client waits to connect again, and no caller is left to hear that.
    Promise.resolve(this.socket?.dispose()).catch(() => undefined);
    this.socket = undefined;
  }

  private connect(): Socket {
    const url = new URL(this.url);
    url.protocol = url.protocol.replace('http', 'ws');
    const webSocketImpl = this.settings.webSocket ?? (globalThis as { WebSocket?: unknown }).WebSocket;
    if (!webSocketImpl) throw new TypeError('There is no WebSocket here: pass that of the package ws as webSocket');
    return createClient({
      url: url.href,
      webSocketImpl,
      connectionParams: () => headersOf(this.settings),
      // A server that is away gives an event of an error; an Error is what a function of the caller has thrown.
      shouldRetry: (cause) => !(cause instanceof Error),
      on: { connected: (_socket, _payload, wasRetry) => (wasRetry ? this.settings.onReconnect?.() : undefined) },
    });
  }
}

const refused = (errors: readonly ResponseError[]): RequestError =>
  new RequestError({ kind: 'graphql', message: errors[0]?.message ?? 'The subscription was refused', errors });

/** @param error errors of the subscription, the event of a closed socket, or what a function of the caller has thrown */
function errorOf(error: unknown): RequestError {
  if (Array.isArray(error)) return refused(error as readonly ResponseError[]);
  const { code, reason, message } = error as { code?: unknown; reason?: unknown; message?: unknown };
  const status = typeof code === 'number' ? code : undefined;
  const text = [reason, message, 'The connection failed'].find((each) => typeof each === 'string' && each !== '');
  const kind = status !== undefined && status >= 4400 && status < 4500 ? 'http' : 'connection';
  return new RequestError({ kind, message: String(text), status, cause: error });
}
