import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClockWatch } from '../../src/edge/health/index.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createInvoice, sendSats } from '../support/dollars.js';
import { Fixture } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';
import { request } from '../support/http.js';

/** A clock that the test sets ahead; the database's is wrong by `stepMs`. */
class AheadClock extends SystemClock {
  aheadMs = 0;
  stepMs = 0;

  override now(): number {
    return super.now() + this.aheadMs;
  }

  override elapsed(): number {
    return super.elapsed() + this.aheadMs;
  }

  override follow(databaseMs: number): void {
    super.follow(databaseMs + this.stepMs);
  }
}

const price =
  (document: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify({ price: document }));
const says =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.end(text);

describe('prices of several sources', () => {
  let app: TestApp | undefined;
  let clock: AheadClock;
  let servers: Server[];
  /** What each source does with a request; a test may replace it. */
  let sources: RequestListener[];
  beforeEach(() => ([servers, sources, clock] = [[], [], new AheadClock()]));
  afterEach(async () => {
    await app?.close();
    app = undefined;
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  });

  async function addressOf(index: number): Promise<string> {
    const server = createServer((asked, response) => sources[index]?.(asked, response)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function start(given: RequestListener[], PriceSettings: { maxAgeMs?: number } = {}, pointer = '#/price'): Promise<TestApp> {
    sources = given;
    const addresses = await Promise.all(given.map((_each, index) => addressOf(index)));
    const PRICE_SOURCES = addresses.map((address) => `${address}/ticker${pointer}`).join(',');
    return (app = await createTestApp({
      clock,
      env: { PRICE_SOURCE: 'http', PRICE_SOURCES },
      settings: { PriceSettings: { maxAgeMs: 10_000, ...PriceSettings } },
    }));
  }
  const centsPerBtc = async ({ url }: TestApp): Promise<number | undefined> => {
    const { data, errors } = await graphql<{ realtimePrice: { btcSatPrice: { base: number } } }>(
      url,
      '{ realtimePrice { btcSatPrice { base } } }',
    );
    if (errors) expect(errors).toMatchObject([{ extensions: { code: 'PRICE_UNAVAILABLE' } }]);
    return data ? data.realtimePrice.btcSatPrice.base / 10_000 : undefined;
  };
  const metricOf = async ({ url }: TestApp, name: string): Promise<string[]> =>
    (await request(`${url}/metrics`)).text.split('\n').filter((line) => line.startsWith(name));
  /** A machine under load may be late with the first answers. */
  const becomes = (at: TestApp, cents: number): Promise<boolean> => eventually(async () => (await centsPerBtc(at)) === cents);
  const logged = ({ logs }: TestApp, event: string): string[] => logs.filter((line) => line.includes(`"${event}"`));

  it('are their median', async () => {
    const at = await start([price(60_000), price('60100.55'), price(61_000)]);
    await becomes(at, 6_010_055);
    expect(await metricOf(at, 'sluice_price_sources_used')).toEqual(['sluice_price_sources_used 3']);
    // A machine that stands still for the time of a request has failed ones too.
    expect((await metricOf(at, 'sluice_price_requests_total')).filter((line) => line.includes('result="answered"'))).toHaveLength(3);
  });

  it.each<[lie: string, answer: RequestListener]>([
    ['ten times the price', price(600_000)],
    ['a tenth of the price', price('6000')],
    ['a negative price', price(-60_000)],
    ['NaN', says('{"price":NaN}')],
    ['NaN as text', price('NaN')],
    ['words', price('a lot')],
    ['nothing', says('')],
    ['an object without dollars', price({ EUR: 60_000 })],
    ['a page', says('<html>60000</html>')],
    ['too much', says(`{"price":60000,"more":"${'x'.repeat(300_000)}"}`)],
    ['an error', (_request, response) => void response.writeHead(500).end('{"price":60000}')],
    [
      'a redirect',
      (asked, response) =>
        void (asked.url === '/moved'
          ? price(60_000)(asked, response)
          : response.writeHead(302, { location: '/moved' }).end('{"price":60000}')),
    ],
    ['half an answer', (_request, response) => void response.write('{"price":60000', () => response.destroy())],
    ['nothing for a long time', () => undefined],
    ['its answer in drops', (_request, response) => void response.write('{')],
  ])('leave out a source that says %s, and say so once', async (_lie, answer) => {
    const at = await start([price(60_000), answer, price(60_010)]);
    await becomes(at, 6_000_500);
    const { port } = servers[1]?.address() as AddressInfo;
    expect(logged(at, 'price_source_rejected').filter((line) => line.includes(`"source":"127.0.0.1:${port}"`))).toHaveLength(1);
    expect(await metricOf(at, 'sluice_price_sources_used')).toEqual(['sluice_price_sources_used 2']);
  });

  it('are none while too few sources answer or agree; bitcoin is sent as before, and a price comes back', async () => {
    const at = await start([price(60_000), price(70_000), price(80_000)]);
    expect(await centsPerBtc(at)).toBeUndefined();
    const fixture = new Fixture(at);
    const alice = await fixture.user({ sats: 1_000 });
    expect(await alice.pay((await fixture.outside(100)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    await fixture.expectBalanced();
    sources = [price(70_000), price(70_000), (_request, response) => void response.writeHead(503).end()];
    await becomes(at, 7_000_000);
    expect(logged(at, 'price_unavailable')).toHaveLength(1);
    expect(logged(at, 'price_available')).toHaveLength(1);
    expect(logged(at, 'price_source_accepted').length).toBeGreaterThan(0);
  });

  it('of two sources that contradict each other are none', async () => {
    expect(await centsPerBtc(await start([price(60_000), price(66_000)]))).toBeUndefined();
  });

  it('are kept while a source is away, and only until its answer is too old', async () => {
    const at = await start([price(60_000)], { maxAgeMs: 3_600_000 });
    await becomes(at, 6_000_000);
    sources = [(_request, response) => void response.writeHead(500).end()];
    clock.aheadMs += 3_000_000;
    expect(await centsPerBtc(at)).toBe(6_000_000);
    clock.aheadMs += 600_000;
    expect(await centsPerBtc(at)).toBeUndefined();
    expect(await metricOf(at, 'sluice_price_available')).toEqual(['sluice_price_available 0']);
  });

  it('are exchanged for 30 seconds since they were fetched, and shown for longer', async () => {
    const at = await start([price(60_000), price(60_000), price(61_000)], { maxAgeMs: 120_000 });
    await becomes(at, 6_000_000);
    const alice = await new Fixture(at).user({ sats: 10_000 });
    expect(await sendSats(at, alice, alice.wallets.USD, 1_000)).toMatchObject({ status: 'SUCCESS' });
    sources = sources.map(() => (_request, response) => void response.writeHead(500).end());
    clock.aheadMs += 31_000;
    const refused = { status: 'FAILURE', errors: [{ code: 'PRICE_UNAVAILABLE' }] };
    expect(await sendSats(at, alice, alice.wallets.USD, 1_000)).toMatchObject(refused);
    expect((await createInvoice(at, 'lnUsdInvoiceCreate', alice, 100)).errors).toMatchObject([{ code: 'PRICE_UNAVAILABLE' }]);
    expect(await centsPerBtc(at)).toBe(6_000_000);
    expect(await metricOf(at, 'sluice_price_exchangeable')).toEqual(['sluice_price_exchangeable 0']);
    // One that was fetched again is not enough of three; two are, and the old price has no part in theirs.
    sources = [(_request, response) => void response.writeHead(500).end(), price(60_600), price(60_600)];
    await becomes(at, 6_060_000);
    expect(await sendSats(at, alice, alice.wallets.USD, 1_000)).toMatchObject({ status: 'SUCCESS' });
  });

  it.each([-3_600_000, 3_600_000])('age by time that passes, although the clock of the database is set by %d ms', async (stepMs) => {
    const at = await start([price(60_000)], { maxAgeMs: 120_000 });
    await becomes(at, 6_000_000);
    const alice = await new Fixture(at).user({ sats: 10_000 });
    sources = [(_request, response) => void response.writeHead(500).end()];
    clock.stepMs = stepMs;
    await at.get(ClockWatch).measure();
    expect(await centsPerBtc(at)).toBe(6_000_000);
    expect(await sendSats(at, alice, alice.wallets.USD, 1_000)).toMatchObject({ status: 'SUCCESS' });
    clock.aheadMs += 31_000;
    expect(await metricOf(at, 'sluice_price_exchangeable')).toEqual(['sluice_price_exchangeable 0']);
    expect(await sendSats(at, alice, alice.wallets.USD, 1_000)).toMatchObject({ errors: [{ code: 'PRICE_UNAVAILABLE' }] });
    clock.aheadMs += 90_000;
    expect(await metricOf(at, 'sluice_price_available')).toEqual(['sluice_price_available 0']);
    sources = [price(50_000)];
    await becomes(at, 5_000_000);
  });

  it.each([
    [60, 'SUCCESS'],
    [91, 'FAILURE'],
  ])('that are %d seconds old by the source’s own time are shown, and an exchange ends with %s', async (seconds, status) => {
    const aged: RequestListener = (_request, response) =>
      void response.end(JSON.stringify({ price: 60_000, time: Math.floor(Date.now() / 1_000) - seconds }));
    const at = await start([aged], { maxAgeMs: 120_000 }, '#/price;/time');
    await becomes(at, 6_000_000);
    const alice = await new Fixture(at).user({ sats: 10_000 });
    expect(await sendSats(at, alice, alice.wallets.USD, 1_000)).toMatchObject({ status });
  });

  it('leave out a source whose own time of the price is too old', async () => {
    const timed = (atMs: number, amount: number): RequestListener =>
      says(JSON.stringify({ price: amount, time: Math.floor(atMs / 1_000) }));
    const now = Date.now();
    const at = await start(
      [timed(now, 60_000), timed(now + 3_600_000, 60_010), timed(now - 7_000_000, 60_500)],
      { maxAgeMs: 3_600_000 },
      '#/price;/time',
    );
    await becomes(at, 6_000_500);
  });

  it('have other currencies, by the median of those sources that have them', async () => {
    const [first, second] = [
      { usd: 60_000, eur: 54_000, jpy: 9_000_000, xyz: 1 },
      { usd: '61000', eur: '54900', jpy: 1 },
    ];
    const at = await start([price(first), price(second), price({ USD: 60_500 })]);
    await becomes(at, 6_050_000);
    const { currencyList, realtimePrice } = await dataOf(
      at.url,
      '{ currencyList { id } realtimePrice(currency: "EUR") { btcSatPrice { base } usdCentPrice { base } } }',
    );
    // The two rates of the yen contradict each other.
    expect(currencyList).toEqual([{ id: 'USD' }, { id: 'EUR' }]);
    expect(realtimePrice).toEqual({ btcSatPrice: { base: 54_450_000_000 }, usdCentPrice: { base: 900_000 } });
  });
});
