import { CloseCode as ProtocolCode, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { CloseCode } from '../http/index.js';
import { orNone } from '../../platform/kernel/or-none.js';
import type { Log } from '../../platform/logging/index.js';
import type { ConnectionExtra } from './connection-registry.js';

/** Bytes: the maximum in a close frame (RFC 6455 section 5.5). */
const MAX_REASON = 123;
/** The error of graphql-ws for a message type that clients may not send. */
const UNEXPECTED = /^Unexpected message of type /;
/** Maximum of unread bytes: a client above it requests faster than it reads. */
export const MAX_QUEUE_BYTES = 2 ** 20;

/** Frames that may still arrive while the connection closes: those that the peer sent before it could read the close frame. */
const MAX_LATE_FRAMES = 100;

export interface TransportOptions {
  readonly pingMs: number;
  readonly log: Log;
  /** Counts an incoming frame; false: the rate limit is exceeded. */
  readonly mayTalk: () => boolean;
  readonly hasSlot: () => boolean;
  /** A message that waits longer than this closes its connection. */
  readonly maxWaitMs: number;
}

/** Keepalive is WebSocket's own ping, which every library answers; many clients do not know the sub-protocol's. */
export function openTransport(server: Server<ConnectionExtra>, extra: ConnectionExtra, options: TransportOptions): void {
  const { socket } = extra;
  const { pingMs, log, mayTalk } = options;
  let answered = true;
  let pings = 0;
  let late = 0;
  /** Every frame is answered or costs work: each counts like a request, and a client must read its answers. False: ignored. */
  const heard = (): boolean => {
    // Closing: what the peer still sends is ignored. But it costs the parser time, for as long as ws waits for the peer's close frame.
    if (socket.readyState !== socket.OPEN && ++late === MAX_LATE_FRAMES) socket.terminate();
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount > MAX_QUEUE_BYTES) socket.terminate();
    else if (!mayTalk()) socket.close(CloseCode.tooManyRequests, 'Too many requests');
    return socket.readyState === socket.OPEN;
  };
  const ask = (): void => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping(String(++pings));
  };
  // After a process stood still, its timers come before it reads what has arrived meanwhile; an immediate comes after that.
  const ping = setInterval(() => setImmediate(ask), pingMs);
  // Only the pong that repeats the last ping shows that the client reads; it is not counted.
  socket.on('pong', (payload) => (!answered && String(payload) === String(pings) ? void (answered = true) : void heard()));
  socket.on('ping', heard);
  socket.on('error', (error) => log.debug('socket_closed_by_error', {}, `A socket was closed by an error: ${error.message}`)); // ws closes it, with 1009 or 1002 or 1006
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (data) => send(socket, data),
      close: (code, reason) => socket.close(code, asReason(reason)),
      onMessage: (handle) => {
        const inbox = new Inbox(extra, options, handle);
        socket.on('message', (data, isBinary) => {
          if (!heard()) return;
          if (isBinary) return socket.close(CloseCode.badRequest, 'Only text is understood');
          inbox.receive((data as Buffer).toString());
        });
        socket.once('close', () => inbox.forget());
      },
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    clearInterval(ping);
    void closed(code, String(reason));
  });
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(['id', 'type', 'payload']);

type Message = Readonly<Record<string, unknown>>;

/** graphql-ws keeps a parsed message until its subscription ends: without the keys that the protocol does not have, which could hold anything. */
async function handleKnown(handle: (text: string) => Promise<void>, text: string, message: Message): Promise<void> {
  if (Object.keys(message).every((key) => KNOWN_KEYS.has(key))) return handle(text);
  const { id, type, payload } = message;
  return handle(JSON.stringify({ id, type, payload }));
}

/** Empty for what is no object: graphql-ws refuses it. */
function parsed(text: string): Message {
  const message = orNone(() => JSON.parse(text) as unknown);
  return typeof message === 'object' && message !== null && !Array.isArray(message) ? (message as Message) : {};
}

const asReason = (reason = ''): string =>
  Buffer.from(reason)
    .subarray(0, MAX_REASON)
    .toString()
    .replace(/\uFFFD$/, '');

function send(socket: WebSocket, data: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.bufferedAmount > MAX_QUEUE_BYTES) socket.terminate();
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(data, () => resolve()); // after a failed send, 'close' follows and cleans up
  });
}

/** While the credential is checked: clients send their first subscriptions without waiting for the acknowledgement. */
const MAX_WHILE_AUTHENTICATING = 8;
const MAX_BYTES = 64 * 1024;
const LOOK_MS = 50;

/** Subscriptions whose id is still in use by an operation that the client has completed. */
const MAX_HELD_BACK = 8;

/** A subscription from its message until graphql-ws has done all that follows from it. */
interface Operation {
  isCompleted: boolean;
  /** The message that uses its id again. */
  next?: string | undefined;
}

/** Messages wait here in order until graphql-ws gets them. Its errors become close codes. */
class Inbox {
  private readonly operations = new Map<unknown, Operation>();
  private readonly waiting: string[] = [];
  private bytes = 0;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly extra: ConnectionExtra,
    private readonly options: TransportOptions,
    private readonly handle: (text: string) => Promise<void>,
  ) {
    extra.resume = () => this.resume();
  }

  receive(text: string, place = this.waiting.length): void {
    if (place === 0 && this.mayPass) return this.pass(text);
    if (this.waiting.length === 0) this.since = performance.now();
    this.waiting.splice(place, 0, text);
    this.bytes += Buffer.byteLength(text);
    const hasTooMany = this.extra.isAuthenticating === true && this.waiting.length > MAX_WHILE_AUTHENTICATING;
    if (this.bytes > MAX_BYTES || hasTooMany) return this.refuse();
    // The end of the check calls `resume`; a slot may also become free on another connection, so the inbox polls.
    this.timer ??= setInterval(() => (this.isOpen ? this.resume() : this.forget()), LOOK_MS);
  }

  forget(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.waiting.length = 0;
    this.bytes = 0;
  }

  private resume(): void {
    while (this.waiting.length > 0 && this.isOpen && this.mayPass) {
      const text = this.waiting.shift() ?? '';
      this.bytes -= Buffer.byteLength(text);
      this.since = performance.now();
      this.pass(text);
    }
    if (this.waiting.length === 0) return this.forget();
    if (performance.now() - this.since > this.options.maxWaitMs) this.refuse();
  }

  private get isOpen(): boolean {
    return this.extra.socket.readyState === this.extra.socket.OPEN;
  }

  private get mayPass(): boolean {
    return this.extra.isAuthenticating !== true && this.options.hasSlot();
  }

  private pass(text: string): void {
    const { extra } = this;
    const message = parsed(text);
    const former = this.operations.get(message['id']);
    if (former && this.isForNext(former, message, text)) return;
    extra.messageLength = text.length;
    const handled = handleKnown(this.handle, text, message).catch((error: unknown) => this.fail(error));
    if (message['type'] === 'subscribe') this.follow(message['id'], handled);
    if (!extra.isAuthenticating) return; // not a `connection_init`
    void handled.then(() => {
      extra.isAuthenticating = false;
      this.resume();
    });
  }

  /**
   * graphql-ws knows a stream by its id alone, and its end ends what uses the id by then. So a message that uses the id of a completed
   * operation again waits for the end of that operation. @returns true if the message is not for graphql-ws now
   */
  private isForNext(former: Operation, { type, id }: Message, text: string): boolean {
    const { next, isCompleted } = former;
    if (type === 'complete') {
      former.isCompleted = true;
      former.next = undefined;
      return next !== undefined;
    }
    if (type !== 'subscribe' || !isCompleted) return false;
    former.next = text;
    const heldBack = [...this.operations.values()].filter((operation) => operation.next !== undefined).length;
    if (next !== undefined)
      this.extra.socket.close(ProtocolCode.SubscriberAlreadyExists, asReason(`Subscriber for ${String(id)} already exists`));
    else if (heldBack > MAX_HELD_BACK) this.refuse();
    return true;
  }

  private follow(id: unknown, handled: Promise<void>): void {
    const operation: Operation = { isCompleted: false };
    this.operations.set(id, operation);
    void handled.then(() => {
      if (this.operations.get(id) === operation) this.operations.delete(id);
      if (operation.next !== undefined && this.isOpen) this.receive(operation.next, 0);
    });
  }

  private fail(error: unknown): void {
    const { socket } = this.extra;
    if (error instanceof Error && UNEXPECTED.test(error.message)) return socket.close(CloseCode.badRequest, asReason(error.message));
    // graphql-ws repeats the payload of a ping: nesting that exceeds the stack is the caller's mistake.
    if ((error as { name?: unknown } | null)?.name === 'RangeError')
      return socket.close(CloseCode.badRequest, 'Message is nested too deeply');
    this.options.log.error('socket_unexpected_error', {}, 'A message failed; the socket is closed with 4500', error);
    socket.close(CloseCode.internalError, 'Internal server error');
  }

  private refuse(): void {
    this.forget();
    this.extra.socket.close(CloseCode.tooManyRequests, 'Too many requests');
  }
}
