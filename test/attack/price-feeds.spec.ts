import { PriceService, type PriceQuote, type PriceSource } from '../../src/price/index.js';
import { SocketServer } from '../../src/socket/socket-server.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket, type Frame } from '../support/raw-socket.js';

const PRICE = (sats: number): string =>
  `subscription { price(input: { amount: ${sats}, amountCurrencyUnit: BTCSAT, priceCurrencyUnit: USDCENT }) { price { base } } }`;

let centsPerBtc = 6_000_000n;
class TestPrice implements PriceSource {
  findQuote(): Promise<PriceQuote> {
    return Promise.resolve({ centsPerBtc, at: new Date(), spreadPpm: 0, expiresAt: new Date(Date.now() + 600_000) });
  }
}

/** Each different feed of prices is executed at every change of the price. */
describe('feeds of prices', () => {
  let app: TestApp;
  let alice: Person;
  const sockets: RawSocket[] = [];

  beforeAll(async () => {
    app = await createTestApp({ price: TestPrice });
    alice = await new Fixture(app).user();
  });
  afterEach(async () => void (await Promise.all(sockets.splice(0).map((raw) => raw.leave()))));
  afterAll(() => app.close());

  const admitted = async (person?: Person): Promise<RawSocket> => {
    const raw = await RawSocket.admitted(app.url, person?.as('read'));
    sockets.push(raw);
    return raw;
  };
  const follow = async (raw: RawSocket, id: number, sats = id): Promise<Frame> => {
    raw.subscribe(String(id), PRICE(sats));
    await eventually(() => raw.frames.some((frame) => frame.id === String(id)));
    return raw.frames.filter((frame) => frame.id === String(id)).at(-1) as Frame;
  };

  it('are bounded for each caller by the number of different ones', async () => {
    let raw = await admitted();
    for (let sats = 1; sats <= 200; sats++) {
      if (sats % 50 === 0) raw = await admitted();
      expect(await follow(raw, sats)).toMatchObject({ type: 'next' });
    }
    const late = await admitted();
    expect(await follow(late, 201)).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'TOO_MANY_REQUEST' } }] });
    expect(await follow(late, 202, 1)).toMatchObject({ type: 'next' });
    expect(await follow(await admitted(alice), 203)).toMatchObject({ type: 'next' });
    raw.send({ id: '200', type: 'complete' });
    await eventually(async () => (await follow(late, 204)).type === 'next');
  });

  it('have no two events in one pass of the event loop', async () => {
    const raw = await admitted();
    for (let sats = 1; sats <= 20; sats++) await follow(raw, sats);
    const passes: number[] = [];
    let pass = 0;
    let timer = setImmediate(function count() {
      pass++;
      timer = setImmediate(count);
    });
    const server = SocketServer.prototype as unknown as { sendNext: () => void };
    jest.spyOn(server, 'sendNext').mockImplementation(() => void passes.push(pass));
    centsPerBtc *= 2n;
    app.get(PriceService).refresh();
    await eventually(() => passes.length === 20);
    clearImmediate(timer);
    expect(new Set(passes).size).toBe(passes.length);
  });
});
