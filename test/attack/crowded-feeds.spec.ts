import { QUEUE_LIMITS } from '../../src/edge/http/index.js';
import { PriceService, type PriceQuote, type PriceSource } from '../../src/money/price/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket } from '../support/raw-socket.js';

const WAITING = 3;
const feedOf = (sats: number): string =>
  `subscription { price(input: { amount: ${sats}, amountCurrencyUnit: BTCSAT, priceCurrencyUnit: USDCENT }) { price { base } } }`;

let centsPerBtc = 6_000_000n;
class TestPrice implements PriceSource {
  findQuote(): Promise<PriceQuote> {
    return Promise.resolve({ centsPerBtc, at: new Date(), spreadPpm: 0, expiresAt: new Date(Date.now() + 600_000) });
  }
}

/** One change of the price is an event of each feed: those of a caller with many must not take the place of another caller's. */
describe('many feeds of prices of one caller', () => {
  let app: TestApp;
  let flooder: Person;
  let other: Person;
  beforeAll(async () => {
    jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', WAITING);
    app = await createTestApp({ price: TestPrice });
    const fixture = new Fixture(app);
    [flooder, other] = [await fixture.user(), await fixture.user()];
  });
  afterAll(() => app.close());

  it('leave each change of the price to the feed of another', async () => {
    const crowd = await RawSocket.admitted(app.url, flooder.as('read'));
    for (let n = 1; n <= 4 * WAITING; n++) {
      crowd.subscribe(String(n), feedOf(1_000 + n));
      expect(await crowd.next()).toMatchObject({ id: String(n), type: 'next' });
    }
    const raw = await RawSocket.admitted(app.url, other.as('read'));
    raw.subscribe('1', feedOf(999));
    expect(await raw.next()).toMatchObject({ type: 'next' });
    for (let change = 1; change <= 3; change++) {
      const [before, crowdBefore] = [raw.frames.length, crowd.frames.length];
      centsPerBtc *= 2n;
      app.get(PriceService).refresh();
      await eventually(() => crowd.frames.length >= crowdBefore + WAITING);
      await eventually(() => raw.frames.length > before);
    }
    await Promise.all([crowd.leave(), raw.leave()]);
  });
});
