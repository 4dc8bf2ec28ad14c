import { Injectable } from '@nestjs/common';
import { PriceService } from '../../src/money/price/index.js';
import { PriceSource, type PriceQuote } from '../../src/index.js';
import { ClockWatch } from '../../src/edge/health/index.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';

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
const clock = new AheadClock();

const quote = (centsPerBtc: bigint, validMs = HOUR_MS): PriceQuote => ({
  centsPerBtc,
  at: new Date(clock.now()),
  spreadPpm: 0,
  expiresAt: new Date(clock.now() + validMs),
});

let answer: () => Promise<PriceQuote | undefined>;

@Injectable()
class TestPrice extends PriceSource {
  override findQuote(): Promise<PriceQuote | undefined> {
    return answer();
  }
}

const HOUR_MS = 3_600_000;
const PRICE = '{ realtimePrice { btcSatPrice { base offset } } me { defaultAccount { realtimePrice { btcSatPrice { base offset } } } } }';
const LATEST = `{ me { defaultAccount { transactions(first: 1) { edges { node {
  settlementAmount settlementDisplayAmount settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset } } } } } } }`;

describe('a price source', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeAll(async () => {
    answer = async () => quote(10_000_000n);
    app = await createTestApp({ clock, price: TestPrice });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** Resolves once the source has given this answer, or none in its time: a round that had begun before does not count. */
  const ask = async (next: typeof answer): Promise<void> => {
    let isAsked = false;
    answer = () => ((isAsked = true), next());
    const prices = app.get(PriceService);
    await new Promise<void>((resolve) => {
      const forget = prices.onChange(() => isAsked && (forget(), resolve()));
      prices.refresh();
    });
  };
  /** The source had a price, which has expired. @returns the lines of the log that say so */
  const lose = async (next: typeof answer): Promise<string[]> => {
    await ask(async () => quote(10_000_000n));
    const from = app.logs.length;
    answer = next;
    clock.aheadMs += HOUR_MS;
    await ask(next);
    const lines = (): string[] => app.logs.slice(from).filter((line) => line.includes('price_unavailable'));
    await eventually(() => lines().length > 0);
    return lines();
  };
  const latest = async (): Promise<unknown> =>
    (await dataOf(app.url, LATEST, {}, alice.as('read'))).me.defaultAccount.transactions.edges[0].node;
  const codes = async (): Promise<unknown> =>
    (await graphql(app.url, PRICE, {}, alice.as('read'))).errors?.map((each) => each.extensions?.code);

  it('gives the price that the API shows and that payments store', async () => {
    const at = { btcSatPrice: { base: 100_000_000_000, offset: 12 } };
    expect(await dataOf(app.url, PRICE, {}, alice.as('read'))).toEqual({
      realtimePrice: at,
      me: { defaultAccount: { realtimePrice: at } },
    });
    expect(await latest()).toMatchObject({
      settlementDisplayAmount: '1.00',
      settlementDisplayCurrency: 'USD',
      settlementPrice: at.btcSatPrice,
    });
  });

  it.each<[what: string, missing: () => Promise<PriceQuote | undefined>]>([
    ['that has none', async () => undefined],
    ['that fails', () => Promise.reject(new Error('the exchange is closed'))],
    ['that never answers', () => new Promise(() => undefined)],
    ['whose price has expired', async () => quote(10_000_000n, -1)],
    ['that says nonsense', async () => quote(0n)],
    [
      'that returns a number instead of a bigint, as parsed JSON may',
      async () => ({ ...quote(5_000_000n), centsPerBtc: 5_000_000 as never }),
    ],
  ])('%s stops no payment: dollars are refused, amounts are shown in bitcoin', async (_what, missing) => {
    expect(await lose(missing)).toHaveLength(1);
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
    expect(await alice.pay((await fixture.outside(100)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await latest()).toMatchObject({
      settlementDisplayAmount: expect.stringMatching(/^-0\.000001\d\d$/) as unknown,
      settlementDisplayCurrency: 'BTC',
      settlementPrice: { base: 1_000_000_000_000, offset: 12 },
    });
  });

  it('that has none leaves dollars out of the pages', async () => {
    await lose(async () => undefined);
    const carol = await fixture.user({ sats: 1_000 });
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: carol.email, password: PASSWORD });
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM transaction WHERE account_id = $1', [carol.accountId]);
    const { paymentHash } = await carol.invoice(10);
    for (const path of ['', '/history', `/history/${rows[0]?.id}`, `/receive/${paymentHash}`]) {
      const page = await browser.get(`/dashboard${path}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain('sats');
      expect(page.text).not.toContain('$');
    }
  });

  it.each([-HOUR_MS, HOUR_MS])('keeps a price as long as it said, although the clock of the database is set by %d ms', async (stepMs) => {
    await ask(async () => quote(10_000_000n, 120_000));
    answer = () => Promise.reject(new Error('the exchange is closed'));
    const exchangeable = (): boolean => app.get(PriceService).exchangeQuote !== undefined;
    clock.stepMs += stepMs;
    await app.get(ClockWatch).measure();
    expect([await codes(), exchangeable()]).toEqual([undefined, true]);
    clock.aheadMs += 31_000;
    expect([await codes(), exchangeable()]).toEqual([undefined, false]);
    clock.aheadMs += 90_000;
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
  });

  it('is asked again until it has a price', async () => {
    await lose(async () => undefined);
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
    const from = app.logs.length;
    answer = async () => quote(5_000_000n);
    await eventually(async () => (await codes()) === undefined);
    expect(app.logs.slice(from).filter((line) => line.includes('"price_available",'))).toHaveLength(1);
  });
});

it('no price source is the choice of an organisation: dollars are neither shown nor accepted, and no line of the log asks for one', async () => {
  const app = await createTestApp({ env: { PRICE_SOURCE: 'none' } });
  const alice = await new Fixture(app).user({ sats: 1_000 });
  expect((await graphql(app.url, PRICE, {}, alice.as('read'))).errors?.[0]?.extensions?.code).toBe('PRICE_UNAVAILABLE');
  expect((await dataOf(app.url, LATEST, {}, alice.as('read'))).me.defaultAccount.transactions.edges[0].node).toMatchObject({
    settlementDisplayCurrency: 'BTC',
  });
  expect(app.logs.filter((line) => line.includes('price_unavailable'))).toEqual([]);
  await app.close();
});
