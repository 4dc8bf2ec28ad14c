import { createSocket, type Socket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { lookup, type Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Metrics } from '../../platform/metrics/index.js';
import { EgressClient } from './egress-client.js';
import type { EgressSettings } from './egress.settings.js';

const LOOPBACK: readonly string[] = ['127.0.0.0/8'];
const LIMITS = { method: 'GET', timeoutMs: 60_000, maxBytes: 1_000 } as const;

/** Resolves every name as the test says. */
class Client extends EgressClient {
  addresses: string[] = [];

  constructor(allowedNetworks: readonly string[]) {
    super({ allowedNetworks } as EgressSettings, new Metrics());
  }

  protected override async resolve(): Promise<{ address: string; family: number }[]> {
    return this.addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

/** Asks a name server of the test. */
class ResolvingClient extends EgressClient {
  constructor(private readonly nameServer: string) {
    super({ allowedNetworks: LOOPBACK } as EgressSettings, new Metrics());
  }

  protected override resolver(): Resolver {
    const resolver = super.resolver();
    resolver.setServers([this.nameServer]);
    return resolver;
  }
}

/** The answer of a name server to a query: 127.0.0.1 for A, nothing for AAAA. */
function answerTo(query: Buffer): Buffer {
  const isForIpv4 = query.subarray(12).includes(Buffer.from([0, 0, 1, 0, 1]));
  const end = 12 + query.subarray(12).indexOf(0) + 5;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  const header = Buffer.from([0x81, 0x80, 0, 1, 0, isForIpv4 ? 1 : 0, 0, 0, 0, 0]);
  return Buffer.concat([query.subarray(0, 2), header, query.subarray(12, end), ...(isForIpv4 ? [record] : [])]);
}

describe('EgressClient', () => {
  const open: { server?: Server; client?: EgressClient; names?: Socket } = {};
  afterEach(async () => {
    open.names?.close();
    delete open.names;
    await open.client?.onApplicationShutdown();
    open.server?.closeAllConnections();
    open.server?.close();
  });

  function clientOf(networks: readonly string[] = LOOPBACK): Client {
    const client = new Client(networks);
    open.client = client;
    return client;
  }
  /** A client of a name server that answers, or that never does. @param asked gets each query */
  async function resolvingClient(asked: (query: Buffer) => Buffer | undefined): Promise<ResolvingClient> {
    const names = createSocket('udp4');
    open.names = names;
    names.on('message', (query, { port, address }) => {
      const answer = asked(query);
      if (answer) names.send(answer, port, address);
    });
    names.bind(0, '127.0.0.1');
    await once(names, 'listening');
    const client = new ResolvingClient(`127.0.0.1:${names.address().port}`);
    open.client = client;
    return client;
  }
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

  it('looks a name up in DNS, and one without a dot as the system does', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const client = await resolvingClient(answerTo);
    for (const host of [`hooks.internal:${port}`, `localhost:${port}`])
      expect(await client.request({ ...LIMITS, url: `http://${host}/` })).toMatchObject({ kind: 'response', body: host });
  });

  it('holds up no other look-up of the process while a name server does not answer', async () => {
    let queries = 0;
    const client = await resolvingClient(() => void queries++);
    let hasEnded = false;
    const slow = Array.from({ length: 8 }, (_, n) => client.request({ ...LIMITS, url: `https://n${n}.slow.example/` }));
    const ended = Promise.race(slow).then(() => (hasEnded = true));
    // The system's look-ups share few threads, as the one of the database's host needs.
    expect(await lookup('localhost', { family: 4 })).toMatchObject({ address: '127.0.0.1' });
    expect(hasEnded).toBe(false);
    await ended;
    expect((await Promise.all(slow)).map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'failed'));
    expect(queries).toBeGreaterThanOrEqual(8);
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
    expect(await client.request({ ...LIMITS, url: 'http://hooks.internal/' })).toEqual({ kind: 'refused', reason: 'not_https' });
  });

  it.each<[networks: readonly string[], url: string, addresses: string[], reason: string]>([
    [[], 'https://rebound.example/', ['1.1.1.1', '10.0.0.1'], 'address_not_public'],
    [[], 'https://rebound.example/', [], 'address_not_public'],
    [[], 'http://shop.example/', ['1.1.1.1'], 'not_https'],
    [LOOPBACK, 'http://shop.example/', ['1.1.1.1'], 'not_https'],
    [LOOPBACK, 'http://shop.example/', ['127.0.0.1', '1.1.1.1'], 'not_https'],
    [LOOPBACK, 'http://shop.example/', ['10.0.0.1'], 'address_not_public'],
    [LOOPBACK, 'http://1.1.1.1/', [], 'not_https'],
    [LOOPBACK, 'https://10.0.0.1/', ['1.1.1.1'], 'address_not_public'],
    [LOOPBACK, 'https://shop.example/a b', ['1.1.1.1'], 'invalid_url'],
  ])('with %j refuses %s, which leads to %j, before a request as it does at the request', async (networks, url, addresses, reason) => {
    const client = clientOf(networks);
    client.addresses = addresses;
    expect(await client.refusalNow(url)).toEqual({ kind: 'refused', reason });
    expect(await client.request({ ...LIMITS, url })).toEqual({ kind: 'refused', reason });
  });

  it('refuses before a request neither what it would send now, nor a name that nothing answers for', async () => {
    const client = clientOf();
    client.addresses = ['127.0.0.1'];
    for (const url of ['http://hooks.internal/', 'https://hooks.internal/', 'http://127.0.0.1:1/'])
      expect(await client.refusalNow(url)).toBeUndefined();
    jest.spyOn(client as unknown as { resolve: () => Promise<never> }, 'resolve').mockRejectedValue(new Error('ENOTFOUND'));
    expect(await client.refusalNow('https://later.example/')).toBeUndefined();
    expect(await client.refusalNow('http://1.1.1.1/')).toEqual({ kind: 'refused', reason: 'not_https' });
  });

  it('ends a response that is too long, too slow, or cut', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/long') return response.end('x'.repeat(1_001));
      response.write('part');
      if (request.url === '/cut') setImmediate(() => response.destroy());
    });
    const client = clientOf();
    const ask = (path: string) =>
      client.request({ ...LIMITS, url: `http://127.0.0.1:${port}/${path}`, ...(path === 'slow' && { timeoutMs: 200 }) });
    expect(await ask('long')).toEqual({ kind: 'failed', reason: 'too_large' });
    expect(await ask('slow')).toEqual({ kind: 'failed', reason: 'timeout' });
    expect(await ask('cut')).toEqual({ kind: 'failed', reason: 'unreachable' });
  });

  it('returns a status that has arrived, if it suffices, with any body, and closes the connection of one that is too long', async () => {
    const closings: Promise<unknown>[] = [];
    const port = await serve((request, response) => {
      closings.push(once(response, 'close'));
      response.writeHead(202);
      response.write('x'.repeat(request.url === '/long' ? 100_000 : 1));
      if (request.url === '/cut') setImmediate(() => response.destroy());
    });
    const client = clientOf();
    for (const path of ['long', 'slow', 'cut']) {
      const late = new AbortController();
      const isLate = (): unknown => setImmediate(() => late.abort(new DOMException('too late', 'TimeoutError')));
      if (path === 'slow') {
        jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
        subscribe('undici:request:headers', isLate);
      }
      const asked = client.request({ ...LIMITS, url: `http://127.0.0.1:${port}/${path}`, statusSuffices: true });
      expect(await asked).toMatchObject({ kind: 'response', status: 202, body: '' });
      unsubscribe('undici:request:headers', isLate);
    }
    expect(await Promise.all(closings)).toHaveLength(3);
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
