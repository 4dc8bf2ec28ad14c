import { Injectable } from '@nestjs/common';
import { PriceSource, type PriceQuote } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';

const quote = (centsPerBtc: bigint, validMs = 60_000): PriceQuote => ({
  centsPerBtc,
  at: new Date(),
  spreadPpm: 0,
  expiresAt: new Date(Date.now() + validMs),
});

let answer: () => Promise<PriceQuote | undefined>;

@Injectable()
class TestPrice extends PriceSource {
  override findQuote(): Promise<PriceQuote | undefined> {
    return answer();
  }
}

const PRICE = '{ realtimePrice { btcSatPrice { base offset } } me { defaultAccount { realtimePrice { btcSatPrice { base offset } } } } }';
const LATEST = `{ me { defaultAccount { transactions(first: 1) { edges { node {
  settlementAmount settlementDisplayAmount settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset } } } } } } }`;

describe('a price source', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  const start = async (first: () => Promise<PriceQuote | undefined>): Promise<void> => {
    answer = first;
    app = await createTestApp({ price: TestPrice });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
  };
  afterEach(async () => {
    await fixture.expectBalanced();
    await app.close();
  });

  const latest = async (): Promise<unknown> =>
    (await dataOf(app.url, LATEST, {}, alice.as('read'))).me.defaultAccount.transactions.edges[0].node;
  const codes = async (): Promise<unknown> =>
    (await graphql(app.url, PRICE, {}, alice.as('read'))).errors?.map((each) => each.extensions?.code);

  it('gives the price that the API shows and that payments store', async () => {
    await start(async () => quote(10_000_000n));
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
  ])('%s stops no payment: dollars are refused, amounts are shown in bitcoin', async (_what, missing) => {
    await start(missing);
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
    expect(await alice.pay((await fixture.outside(100)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await latest()).toMatchObject({
      settlementDisplayAmount: expect.stringMatching(/^-0\.000001\d\d$/) as unknown,
      settlementDisplayCurrency: 'BTC',
      settlementPrice: { base: 1_000_000_000_000, offset: 12 },
    });
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM transaction WHERE account_id = $1', [alice.accountId]);
    const { paymentHash } = await alice.invoice(10);
    for (const path of ['', '/history', `/history/${rows[0]?.id}`, `/receive/${paymentHash}`]) {
      const page = await browser.get(`/dashboard${path}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain('sats');
      expect(page.text).not.toContain('$');
    }
    expect(app.logs.filter((line) => line.includes('price_unavailable'))).toHaveLength(1);
  });

  it.each<[what: string, wrong: object]>([
    ['a number instead of a bigint', { centsPerBtc: 5_000_000 }],
    ['dates as text', { at: '2026-01-01T00:00:00Z', expiresAt: '2126-01-01T00:00:00Z' }],
    ['a date that is none', { expiresAt: new Date('soon') }],
    ['no spread', { spreadPpm: undefined }],
    ['rates as a list of pairs', { rates: [['EUR', 0.92]] }],
    ['a rate as text', { rates: { EUR: '0.92' } }],
    ['a rate of zero', { rates: { EUR: 0 } }],
    ['a rate that is no number', { rates: { EUR: NaN } }],
    ['a rate of a currency in lower case', { rates: { eur: 0.92 } }],
  ])('is not trusted while it returns %s, as parsed JSON may; bitcoin is sent as before', async (_what, wrong) => {
    await start(async () => ({ ...quote(5_000_000n), ...wrong }));
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
    expect(await latest()).toMatchObject({ settlementAmount: 1_000, settlementDisplayCurrency: 'BTC' });
    expect(app.logs.filter((line) => line.includes('price_unavailable'))).toEqual([expect.stringContaining('the source returned')]);
  });

  it('none is the choice of an organisation: dollars are neither shown nor accepted, and no line of the log asks for one', async () => {
    app = await createTestApp({ env: { PRICE_SOURCE: 'none' } });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
    expect(await latest()).toMatchObject({ settlementDisplayCurrency: 'BTC' });
    expect(app.logs.filter((line) => line.includes('price_unavailable'))).toEqual([]);
  });

  it('is asked again until it has a price', async () => {
    await start(async () => undefined);
    expect(await codes()).toContain('PRICE_UNAVAILABLE');
    answer = async () => quote(5_000_000n);
    await eventually(async () => (await codes()) === undefined);
    expect(app.logs.filter((line) => line.includes('"price_available",'))).toHaveLength(1);
  });
});
