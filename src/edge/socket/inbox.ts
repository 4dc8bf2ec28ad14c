import type { WebSocket } from 'ws';
import { CloseCode } from '../http/index.js';

/** While the credential is checked: clients send their first subscriptions without waiting for the acknowledgement. */
const MAX_WHILE_AUTHENTICATING = 8;
const MAX_BYTES = 64 * 1024;
const LOOK_MS = 50;

export interface InboxOptions {
  readonly socket: WebSocket;
  readonly isAuthenticating: () => boolean;
  readonly hasSlot: () => boolean;
  readonly handle: (text: string) => void;
  readonly maxWaitMs: number;
}

/** Messages wait here in order until they are handled. */
export class Inbox {
  private readonly waiting: string[] = [];
  private bytes = 0;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: InboxOptions) {}

  receive(text: string): void {
    const { isAuthenticating, hasSlot, handle, socket } = this.options;
    if (this.waiting.length === 0 && !isAuthenticating() && hasSlot()) return handle(text);
    if (this.waiting.length === 0) this.since = performance.now();
    this.waiting.push(text);
    this.bytes += Buffer.byteLength(text);
    if (this.bytes > MAX_BYTES || (isAuthenticating() && this.waiting.length > MAX_WHILE_AUTHENTICATING)) return this.refuse();
    // The end of the check calls `resume`; a slot may also become free on another connection, so the inbox polls.
    this.timer ??= setInterval(() => (socket.readyState === socket.OPEN ? this.resume() : this.forget()), LOOK_MS);
  }

  resume(): void {
    const { isAuthenticating, hasSlot, handle, maxWaitMs, socket } = this.options;
    while (this.waiting.length > 0 && socket.readyState === socket.OPEN && !isAuthenticating() && hasSlot()) {
      const text = this.waiting.shift() ?? '';
      this.bytes -= Buffer.byteLength(text);
      this.since = performance.now();
      handle(text);
    }
    if (this.waiting.length === 0) return this.forget();
    if (performance.now() - this.since > maxWaitMs) this.refuse();
  }

  forget(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.waiting.length = 0;
    this.bytes = 0;
  }

  private refuse(): void {
    this.forget();
    this.options.socket.close(CloseCode.tooManyRequests, 'Too many requests');
  }
}
