import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import type { CredentialHeaders } from './graphql.js';

export interface Frame {
  readonly type: string;
  readonly id?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever shape it asked for
  readonly payload?: any;
}

export interface RawOptions extends Omit<ClientOptions, 'protocol'> {
  readonly protocol?: string | readonly string[];
  readonly path?: string;
}

/** A WebSocket without a GraphQL client: the frames as they are, and the close code. */
export class RawSocket {
  readonly frames: Frame[] = [];
  readonly texts: string[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  private taken = 0;
  private wake: () => void = () => undefined;
  private isClosed = false;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })));
    void this.closed.then(() => {
      this.isClosed = true;
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const text = (data as Buffer).toString();
      this.texts.push(text);
      this.frames.push(JSON.parse(text) as Frame);
      this.wake();
    });
  }

  /** Connects. @throws Error `HTTP <status>` when the upgrade is refused */
  static open(url: string, { protocol = 'graphql-transport-ws', path = '/graphql', ...options }: RawOptions = {}): Promise<RawSocket> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, protocol as string | string[], options);
    const raw = new RawSocket(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(raw));
      socket.once('unexpected-response', (_request, { statusCode }: IncomingMessage) => reject(new Error(`HTTP ${statusCode}`)));
      socket.once('error', reject);
    });
  }

  /** Connects and waits for the acknowledgement. */
  static async admitted(url: string, credential: CredentialHeaders = {}, options: RawOptions = {}): Promise<RawSocket> {
    const raw = await RawSocket.open(url, options);
    raw.send({ type: 'connection_init', payload: credential });
    const frame = await raw.next();
    if (frame.type !== 'connection_ack') throw new Error(`Not let in: ${JSON.stringify(frame)}`);
    return raw;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables?: Readonly<Record<string, unknown>> | null): void {
    this.send({ id, type: 'subscribe', payload: { query, ...(variables !== undefined && { variables }) } });
  }

  /** The frame after the last one that was read. @throws Error when the socket closes first */
  async next(): Promise<Frame> {
    for (;;) {
      const frame = this.frames[this.taken];
      if (frame) return (this.taken++, frame);
      if (this.isClosed) throw new Error(`The socket was closed: ${JSON.stringify(await this.closed)}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Closes the socket, and waits until it is closed. */
  async leave(): Promise<void> {
    this.socket.close(1000);
    await this.closed;
  }
}
