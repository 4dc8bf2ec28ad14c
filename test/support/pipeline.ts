import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** One HTTP connection on which requests are sent without waiting for the answers. */
export class Pipeline {
  readonly answers: RawAnswer[] = [];
  private received = Buffer.alloc(0);

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.take(chunk));
  }

  static async open(url: string): Promise<Pipeline> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return new Pipeline(socket);
  }

  /** Sends all requests in one write. */
  send(bodies: readonly object[], headers: Readonly<Record<string, string>> = {}): void {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const requests = bodies.map((body) => {
      const text = JSON.stringify(body);
      const length = Buffer.byteLength(text);
      return `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${lines.join('')}content-length: ${length}\r\n\r\n${text}`;
    });
    this.socket.write(requests.join(''));
  }

  async close(): Promise<void> {
    if (this.socket.closed) return;
    this.socket.destroy();
    await once(this.socket, 'close');
  }

  private take(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.received.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (this.received.length < end + 4 + length) return;
      const text = this.received.toString('utf8', end + 4, end + 4 + length);
      this.received = this.received.subarray(end + 4 + length);
      this.answers.push({ status: Number(head.split(' ')[1]), head, text });
    }
  }
}
