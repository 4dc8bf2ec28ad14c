import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Client } from '../../src/access/oauth/index.js';
import { EgressClient } from '../../src/edge/egress/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import type { TestApp } from './app.js';
import { OAuthApp } from './oauth-app.js';

export interface HostAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

type EgressRequest = Parameters<EgressClient['request']>[0];
type EgressSettings = ConstructorParameters<typeof EgressClient>[0];

/**
 * The servers of apps that were not registered: all names under `example.test` lead to one server on loopback, without TLS. Requests to other
 * addresses go where Sluice sends them.
 */
export class DocumentHost {
  readonly requests: EgressRequest[] = [];
  private readonly answers = new Map<string, HostAnswer>();
  private readonly egress = new EgressClient({ allowedNetworks: ['127.0.0.0/8'] } as unknown as EgressSettings, new Metrics());

  private constructor(private readonly server: Server) {}

  static async open(app: TestApp): Promise<DocumentHost> {
    const server: Server = createServer(({ url = '' }, response) => {
      const { status = 200, headers = {}, body } = host.answers.get(decodeURIComponent(url.slice(1))) ?? { status: 404, body: '' };
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    }).listen(0, '127.0.0.1');
    const host = new DocumentHost(server);
    await once(server, 'listening');
    const [egress, port] = [app.get(EgressClient), (server.address() as AddressInfo).port];
    const send = egress.request.bind(egress);
    jest.spyOn(egress, 'request').mockImplementation((asked) => {
      if (!/^https:\/\/[^/]+\.example\.test\//.test(asked.url)) return send(asked);
      host.requests.push(asked);
      return host.egress.request({ ...asked, url: `http://127.0.0.1:${port}/${encodeURIComponent(asked.url)}` });
    });
    return host;
  }

  /** The addresses that were asked for. */
  get asked(): readonly string[] {
    return this.requests.map(({ url }) => url);
  }

  answer(url: string, answer: HostAnswer): void {
    this.answers.set(url, answer);
  }

  /** Publishes the document of an app, with these fields instead of the usual ones, and returns the app as a public one. */
  publish(server: TestApp, url: string, fields: Readonly<Record<string, unknown>> = {}, headers: HostAnswer['headers'] = {}): OAuthApp {
    const redirectUris = [new URL('/callback', url).href];
    const usual = { client_id: url, client_name: 'Agent', redirect_uris: redirectUris, token_endpoint_auth_method: 'none' };
    const document = { ...usual, ...fields };
    this.answer(url, { headers, body: JSON.stringify(document) });
    const client = { id: url, redirectUris: document.redirect_uris ?? [], confidential: false, requirePkce: true };
    return new OAuthApp(server, client as unknown as Client, '');
  }

  async close(): Promise<void> {
    await this.egress.onApplicationShutdown();
    this.server.close();
  }
}
