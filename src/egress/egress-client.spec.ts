import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/index.js';
import { Metrics } from '../metrics/index.js';
import { EgressClient } from './egress-client.js';

const LOOPBACK = ['127.0.0.0/8'];
const LIMITS = { method: 'GET', timeoutMs: 5_000, maxBytes: 1_000 } as const;

/** Resolves every name as the test says. */
class Client extends EgressClient {
  addresses: string[] = [];

  constructor(allowedNetworks: readonly string[]) {
    super({ egress: { allowedNetworks } } as Config, new Metrics());
  }

  protected override async resolve(): Promise<{ address: string; family: number }[]> {
    return this.addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

describe('EgressClient', () => {
  const open: { server?: Server; client?: Client } = {};
  afterEach(async () => {
    await open.client?.onApplicationShutdown();
    open.server?.closeAllConnections();
    open.server?.close();
  });

  const clientOf = (networks: readonly string[] = LOOPBACK): Client => (open.client = new Client(networks));
  async function serve(listener: RequestListener): Promise<number> {
    open.server = createServer(listener).listen(0, '127.0.0.1');
    await once(open.server, 'listening');
    return (open.server.address() as AddressInfo).port;
  }

  it('sends the request to the address that it has checked, with the name in Host', async () => {
    const port = await serve((request, response) =>
      response.end(`${request.method} ${request.headers.host} ${String(request.headers['x-test'])}`),
    );
    const client = clientOf();
    client.addresses = ['127.0.0.1'];
    const result = await client.request({ ...LIMITS, url: `http://hooks.internal:${port}/`, headers: { 'x-test': 'yes' } });
    expect(result).toMatchObject({ kind: 'response', status: 200, body: `GET hooks.internal:${port} yes` });
  });

  it('does not follow a redirect', async () => {
    const port = await serve((_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    expect(await clientOf().request({ ...LIMITS, url: `http://127.0.0.1:${port}/` })).toMatchObject({ kind: 'response', status: 302 });
  });

  it.each([
    ['ftp://example.com/', 'invalid_url'],
    ['https://user:password@example.com/', 'invalid_url'],
    ['no url', 'invalid_url'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'invalid_url'],
    ['http://example.com/', 'not_https'],
    ['https://127.0.0.1/', 'address_not_public'],
    ['https://0x7f.1/', 'address_not_public'],
    ['https://2130706433/', 'address_not_public'],
    ['https://[::1]/', 'address_not_public'],
    ['https://[::ffff:169.254.169.254]/', 'address_not_public'],
  ])('refuses %s', async (url, reason) => {
    expect(await clientOf([]).request({ ...LIMITS, url })).toEqual({ kind: 'refused', reason });
  });

  it.each([[['127.0.0.1']], [['1.1.1.1', '10.0.0.1']], [['::1']], [[]]])('refuses a name that resolves to %j', async (addresses) => {
    const client = clientOf([]);
    client.addresses = addresses;
    expect(await client.request({ ...LIMITS, url: 'https://rebound.example/' })).toEqual({ kind: 'refused', reason: 'address_not_public' });
  });

  it('sends without TLS to no name that leads out of the networks that the operator allows', async () => {
    const client = clientOf();
    client.addresses = ['1.1.1.1'];
    expect(await client.request({ ...LIMITS, url: 'http://hooks.internal/' })).toEqual({ kind: 'refused', reason: 'address_not_public' });
  });

  it('ends a response that is too long, too slow, or cut', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/long') return response.end('x'.repeat(1_001));
      response.write('part');
      if (request.url === '/cut') setImmediate(() => response.destroy());
    });
    const client = clientOf();
    const ask = (path: string) =>
      client.request({ ...LIMITS, url: `http://127.0.0.1:${port}/${path}`, timeoutMs: path === 'slow' ? 200 : 5_000 });
    expect(await ask('long')).toEqual({ kind: 'failed', reason: 'too_large' });
    expect(await ask('slow')).toEqual({ kind: 'failed', reason: 'timeout' });
    expect(await ask('cut')).toEqual({ kind: 'failed', reason: 'unreachable' });
  });

  it('bounds the requests in progress', async () => {
    const port = await serve(() => undefined);
    const client = clientOf();
    const ask = () => client.request({ ...LIMITS, url: `http://127.0.0.1:${port}/`, timeoutMs: 1_000 });
    const results = await Promise.all(Array.from({ length: 257 }, ask));
    expect(results.filter(({ kind }) => kind === 'busy')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'failed')).toHaveLength(256);
  });
});
