import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';

const LIST =
  'query ($range: PriceGraphRange!) { btcPriceList(range: $range) { timestamp price { base offset currencyUnit formattedAmount } } }';
const RANGES = ['ONE_DAY', 'ONE_WEEK', 'ONE_MONTH', 'ONE_YEAR', 'FIVE_YEARS'] as const;

describe('btcPriceList', () => {
  let app: TestApp;
  /** Every ten minutes for 40 days, then one a day for six years. */
  const addHistory = (): Promise<unknown> =>
    app.pool.query(`INSERT INTO price_point (at, cents_per_btc)
      SELECT date_bin('10 minutes', now() - n * interval '10 minutes', 'epoch'), 1000000 + n FROM generate_series(0, 40 * 144) AS n
      UNION ALL SELECT date_bin('1 day', now() - n * interval '1 day', 'epoch'), 2000000 + n FROM generate_series(41, 6 * 365) AS n
      ON CONFLICT DO NOTHING`);

  afterEach(() => app.close());

  const list = async (range: string): Promise<{ timestamp: number; price: unknown }[]> =>
    (await dataOf(app.url, LIST, { range })).btcPriceList as { timestamp: number; price: unknown }[];
  const stored = async (): Promise<number> => (await app.pool.query('SELECT at FROM price_point')).rowCount ?? 0;

  it('begins with the price of the present ten minutes', async () => {
    app = await createTestApp({ env: { FIXED_PRICE_CENTS_PER_BTC: '6125000' } });
    await app.pool.query(`SELECT price_record(6125000, NULL, now(), now())`);
    const price = { base: 61_250_000_000, offset: 12, currencyUnit: 'USDCENT', formattedAmount: '0.06125' };
    for (const range of RANGES) {
      const points = await list(range);
      expect(points).toEqual(points.map(({ timestamp }) => ({ timestamp, price })));
      expect((points[0]?.timestamp ?? 1) % 600).toBe(0);
      // One, or two where the next ten minutes have begun since the start.
      expect(points.length).toBeLessThanOrEqual(await stored());
    }
  });

  it('is bounded: the older, the fewer prices are kept, and each range has its step', async () => {
    app = await createTestApp();
    await addHistory();
    await app.pool.query(
      `DELETE FROM price_point WHERE at = date_bin('10 minutes', now(), 'epoch'); SELECT price_record(1000000, NULL, now(), now())`,
    );
    // 8 days of 144 each, 24 of 6, the rest of one a day up to five years.
    expect(await stored()).toBeGreaterThan(8 * 144 + 24 * 6 + 1_700);
    expect(await stored()).toBeLessThanOrEqual(3_200);
    const steps = {
      ONE_DAY: [600, 145],
      ONE_WEEK: [3_600, 169],
      ONE_MONTH: [14_400, 187],
      ONE_YEAR: [86_400, 367],
      FIVE_YEARS: [604_800, 262],
    } as const;
    for (const range of RANGES) {
      const times = (await list(range)).map(({ timestamp }) => timestamp);
      const [step, most] = steps[range];
      expect(times.length).toBeGreaterThanOrEqual(most - 3);
      expect(times.length).toBeLessThanOrEqual(most);
      // The first price of the range may be within a step.
      const bins = times.map((time) => Math.floor(time / step));
      expect(bins).toEqual(bins.map((_, index) => (bins[0] ?? 0) + index));
    }
  });

  it('is empty without a price, and refuses another range', async () => {
    app = await createTestApp({ env: { PRICE_SOURCE: 'none' } });
    expect(await list('ONE_DAY')).toEqual([]);
    const { errors } = await graphql(app.url, LIST, { range: 'TWO_DAYS' });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});
