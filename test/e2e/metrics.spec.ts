import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { productionEnv } from '../support/production.js';
import { request } from '../support/http.js';

const TOKEN = 'a-token-for-the-metrics';
const read = (app: TestApp, headers: Record<string, string> = {}): ReturnType<typeof request> => request(`${app.url}/metrics`, { headers });

async function inProduction(env: Record<string, string> = {}): Promise<TestApp> {
  return createTestApp({ env: { ...(await productionEnv()), ...env } });
}

describe('/metrics in a demo', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp()));
  afterAll(() => app.close());

  it('answers the machine itself in the format of Prometheus', async () => {
    const { status, headers, text } = await read(app);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(text).toMatch(/^sluice_process_resident_memory_bytes [1-9]\d+$/m);
    expect(text).toMatch(/^sluice_database_connections\{state="total"\} [1-9]\d*$/m);
    expect(text).toMatch(/^sluice_process_event_loop_delay_seconds [\d.e-]+$/m);
  });

  it('counts answers by kind and class, never by address', async () => {
    await request(`${app.url}/graphql?query=%7B__typename%7D`);
    await request(`${app.url}/no-such-page`);
    const { text } = await read(app);
    expect(text).toMatch(/^sluice_http_requests_total\{kind="graphql",status="2xx"\} [1-9]/m);
    expect(text).toMatch(/^sluice_http_requests_total\{kind="unknown",status="4xx"\} [1-9]/m);
    expect(text).not.toContain('no-such-page');
  });

  it.each([['forwarded'], ['via'], ['x-forwarded-for'], ['x-forwarded-proto'], ['X-Forwarded-Whatever']])(
    'refuses requests with %s: they passed a proxy, from any client',
    async (name) => expect((await read(app, { [name]: '1' })).status).toBe(401),
  );

  it('refuses another machine', async () => {
    const from = async (remoteAddress: string): Promise<number> =>
      (await app.sluice.app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress })).statusCode;
    expect(await Promise.all(['127.0.0.1', '::1', '::ffff:127.0.0.1'].map(from))).toEqual([200, 200, 200]);
    expect(await Promise.all(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '10.127.0.1'].map(from))).toEqual([401, 401, 401, 401]);
  });

  it('is described in docs/reference/metrics.md by its own help texts', async () => {
    const page = readFileSync(join(__dirname, '../../docs/reference/metrics.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `(sluice_[a-z_]+)` \| (.+) \|$/gm)].map(
      ([, name, help]) => `${name} ${help?.replaceAll('`', '')}`,
    );
    const served = [...(await app.get(Metrics).text()).matchAll(/^# HELP (.+)$/gm)].map(([, line]) => line);
    expect(listed).toEqual(served.sort());
  });
});

describe('/metrics in production', () => {
  it('requires the token, and accepts it from any address', async () => {
    const app = await inProduction({ METRICS_TOKEN: TOKEN });
    try {
      const refused = await read(app);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"']);
      expect((await read(app, { authorization: 'Bearer wrong' })).status).toBe(401);
      expect((await read(app, { authorization: `Basic ${TOKEN}` })).status).toBe(401);
      expect((await read(app, { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
      expect(app.logs.join('')).not.toContain(TOKEN);
    } finally {
      await app.close();
    }
  });

  it('is closed without a configured token', async () => {
    const app = await inProduction();
    try {
      for (const headers of [{}, { authorization: 'Bearer undefined' }, { authorization: 'Bearer ' }] as Record<string, string>[])
        expect((await read(app, headers)).status).toBe(401);
    } finally {
      await app.close();
    }
  });
});
