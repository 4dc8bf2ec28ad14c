import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orNone } from '../../src/platform/kernel/or-none.js';
import { eventually } from '../../src/testing/eventually.js';

export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the event as they like; undefined if it is not JSON
  readonly event: any;
}

/** The status of a response; a promise delays it. */
type Answer = (delivery: ReceivedDelivery) => number | Promise<number>;

/** A customer's server that receives webhooks. It keeps what it gets, and answers 204 unless a test says otherwise. */
export class WebhookReceiver {
  readonly deliveries: ReceivedDelivery[] = [];
  answer: Answer = () => 204;
  /** Sends the response instead of `answer`. */
  respond: ((response: ServerResponse) => void) | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString('utf8');
        const delivery = { path: request.url ?? '', headers: request.headers, body, event: orNone(() => JSON.parse(body) as unknown) };
        receiver.deliveries.push(delivery);
        if (receiver.respond) return receiver.respond(response);
        void Promise.resolve(receiver.answer(delivery)).then((status) => response.writeHead(status).end());
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): ReceivedDelivery[] {
    return this.deliveries.filter((delivery) => delivery.path === path);
  }

  /** Waits until `count` deliveries have arrived at the path. */
  async until(count: number, path = '/'): Promise<ReceivedDelivery[]> {
    await eventually(() => this.at(path).length >= count);
    return this.at(path);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
