import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const METADATA = JSON.stringify([
  ['text/plain', 'Two teas, café “Ü”'],
  ['text/identifier', 'shop@shop.example'],
]);

export const hashOf = (metadata: string): string => createHash('sha256').update(metadata).digest('hex');

type Invoicing = (amountMsat: bigint, descriptionHash: string) => Promise<string>;
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An LNURL-pay service (LUD-06) outside of Sluice, which a test lets lie. */
export class LnurlService {
  /** The paths that were requested since the last `behave`. */
  requests: string[] = [];
  connections = 0;
  private status = 200;
  private offer: Readonly<Record<string, unknown>> = {};
  private answer: Readonly<Record<string, unknown>> = {};
  private handlers: Readonly<Record<string, Handler>> = {};

  private constructor(
    private readonly server: Server,
    private readonly invoicing: Invoicing,
  ) {
    server.on('connection', () => this.connections++);
    server.on('request', (request, response) => void this.respond(request, response));
  }

  static async start(invoicing: Invoicing): Promise<LnurlService> {
    const service = new LnurlService(createServer().listen(0, '127.0.0.1'), invoicing);
    await once(service.server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** What an honest service offers, as JSON. */
  offerText(): string {
    return JSON.stringify(this.payRequest());
  }

  /** @param offer, answer what differs from an honest service; @param handlers full answers by path; @param status of the other answers */
  behave({
    offer = {},
    answer = {},
    handlers = {},
    status = 200,
  }: Partial<Record<'offer' | 'answer', object>> & { handlers?: Record<string, Handler>; status?: number } = {}): void {
    [this.offer, this.answer, this.handlers] = [offer as Record<string, unknown>, answer as Record<string, unknown>, handlers];
    [this.requests, this.connections, this.status] = [[], 0, status];
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    this.requests.push(request.url ?? '');
    const handler = this.handlers[pathname];
    if (handler) return handler(request, response);
    if (pathname !== '/callback') return json(response, this.payRequest(), this.status);
    const amountMsat = BigInt(searchParams.get('amount') ?? '0');
    const metadata = String(this.payRequest()['metadata']);
    json(response, { pr: await this.invoicing(amountMsat, hashOf(metadata)), routes: [], ...this.answer }, this.status);
  }

  private payRequest(): Record<string, unknown> {
    const honest = {
      tag: 'payRequest',
      callback: `${this.url}/callback?id=7`,
      minSendable: 1_000,
      maxSendable: 500_000,
      metadata: METADATA,
    };
    return { ...honest, ...this.offer };
  }
}

/** Answers with a value as JSON. */
export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
