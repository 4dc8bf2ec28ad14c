import { Injectable } from '@nestjs/common';
import { PriceService } from '../../src/money/price/index.js';
import { PriceSource, type PriceQuote } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';

const AT = new Date('2026-01-02T03:04:05.678Z');
const RATES = { JPY: 150, EUR: 0.8, KWD: 0.3, XAF: 600, IRR: 42_000, QQQ: 5, USD: 7, BTC: 0.5 };

let quote: PriceQuote | undefined;

@Injectable()
class TestPrice extends PriceSource {
  override async findQuote(): Promise<PriceQuote | undefined> {
    return quote;
  }
}

const LIST = '{ currencyList { __typename id name symbol flag fractionDigits } }';
const PRICE = `query ($currency: DisplayCurrency) { realtimePrice(currency: $currency) {
  id timestamp denominatorCurrency denominatorCurrencyDetails { id fractionDigits } btcSatPrice { base offset } usdCentPrice { base offset } } }`;
const ESTIMATION = `query ($amount: Float!, $currency: DisplayCurrency!) {
  currencyConversionEstimation(amount: $amount, currency: $currency) { id timestamp btcSatAmount usdCentAmount } }`;

describe('display currencies', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ price: TestPrice })));
  afterAll(() => app.close());
  /** Resolves once the source has been asked again. */
  const set = async (given: PriceQuote | undefined): Promise<void> => {
    quote = given;
    const prices = app.get(PriceService);
    await new Promise<void>((resolve) => {
      const forget = prices.onChange(() => (forget(), resolve()));
      prices.refresh();
    });
  };
  const priced = (rates?: PriceQuote['rates']): PriceQuote => ({
    centsPerBtc: 10_000_000n,
    at: AT,
    spreadPpm: 0,
    expiresAt: new Date(Date.now() + 600_000),
    ...(rates ? { rates } : {}),
  });
  const ids = async (): Promise<string[]> => (await dataOf(app.url, LIST)).currencyList.map(({ id }: { id: string }) => id);
  const estimate = async (amount: number, currency: string): Promise<unknown> =>
    (await dataOf(app.url, ESTIMATION, { amount, currency })).currencyConversionEstimation;
  const refused = async (document: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { data, errors } = await graphql(app.url, document, variables);
    expect(data).toBeNull();
    return errors?.map(({ message, extensions }) => [extensions?.code, extensions?.argument, message]);
  };

  it('are those with a rate that are currencies of ISO 4217, with the US dollar first', async () => {
    await set(priced(RATES));
    const { currencyList } = await dataOf(app.url, LIST);
    const row = (id: string, name: string, symbol: string, flag: string, fractionDigits: number): object => ({
      __typename: 'Currency',
      id,
      name,
      symbol,
      flag,
      fractionDigits,
    });
    expect(currencyList).toEqual([
      row('USD', 'US Dollar', '$', '🇺🇸', 2),
      row('EUR', 'Euro', '€', '🇪🇺', 2),
      row('IRR', 'Iranian Rial', 'IRR', '🇮🇷', 0),
      row('JPY', 'Japanese Yen', '¥', '🇯🇵', 0),
      row('KWD', 'Kuwaiti Dinar', 'KWD', '🇰🇼', 3),
      row('XAF', 'Central African CFA Franc', 'FCFA', '', 0),
    ]);
  });

  it('are only the US dollar while the source has no rates', async () => {
    await set(priced());
    expect(await ids()).toEqual(['USD']);
    expect(await refused(PRICE, { currency: 'EUR' })).toEqual([['INVALID_INPUT', ['currency'], 'Invalid currency.']]);
  });

  it.each([
    ['USD', 2, 100_000_000_000, 1_000_000],
    ['eur', 2, 80_000_000_000, 800_000],
    ['JPY', 0, 150_000_000_000, 1_500_000],
    ['KWD', 3, 300_000_000_000, 3_000_000],
    ['IRR', 0, 42_000_000_000_000, 420_000_000],
  ])('realtimePrice(currency: %s) is in its minor unit, with the time of the quote', async (given, fractionDigits, ofSat, ofCent) => {
    await set(priced(RATES));
    const id = given.toUpperCase();
    expect((await dataOf(app.url, PRICE, { currency: given })).realtimePrice).toEqual({
      id,
      timestamp: Math.floor(AT.getTime() / 1_000),
      denominatorCurrency: id,
      denominatorCurrencyDetails: { id, fractionDigits },
      btcSatPrice: { base: ofSat, offset: 12 },
      usdCentPrice: { base: ofCent, offset: 6 },
    });
  });

  it('leave out a currency whose price no JSON number keeps exact', async () => {
    await set({ ...priced({ EUR: 0.8, IRR: 1e9 }), centsPerBtc: 1_000_000_000n });
    expect(await ids()).toEqual(['USD', 'EUR']);
    expect(await refused(PRICE, { currency: 'IRR' })).toEqual([['INVALID_INPUT', ['currency'], 'Invalid currency.']]);
  });

  it('currencyConversionEstimation says what an amount is worth, to the nearest', async () => {
    await set(priced(RATES));
    const at = { timestamp: Math.floor(AT.getTime() / 1_000) };
    expect(await estimate(1, 'USD')).toEqual({ ...at, id: 'USD:1', btcSatAmount: 1_000, usdCentAmount: 100 });
    expect(await estimate(0.8, 'eur')).toEqual({ ...at, id: 'EUR:0.8', btcSatAmount: 1_000, usdCentAmount: 100 });
    expect(await estimate(1.5, 'JPY')).toEqual({ ...at, id: 'JPY:1.5', btcSatAmount: 10, usdCentAmount: 1 });
    expect(await estimate(0.003, 'KWD')).toEqual({ ...at, id: 'KWD:0.003', btcSatAmount: 10, usdCentAmount: 1 });
    expect(await estimate(0.0015, 'USD')).toMatchObject({ btcSatAmount: 2, usdCentAmount: 0 });
    expect(await estimate(0, 'USD')).toMatchObject({ btcSatAmount: 0, usdCentAmount: 0 });
    expect(await estimate(10_000_000_000, 'USD')).toMatchObject({ btcSatAmount: 10_000_000_000_000, usdCentAmount: 1_000_000_000_000 });
  });

  it.each([
    [{ amount: -0.01, currency: 'USD' }, 'amount', 'A valid amount is required'],
    [{ amount: 10_000_000_001, currency: 'USD' }, 'amount', 'The amount is too large'],
    [{ amount: 1e22, currency: 'IRR' }, 'amount', 'The amount is too large'],
    [{ amount: 1.7e308, currency: 'IRR' }, 'amount', 'The amount is too large'],
    [{ amount: 1, currency: 'CHF' }, 'currency', 'Invalid currency.'],
    [{ amount: 1, currency: 'QQQ' }, 'currency', 'Invalid currency.'],
    [{ amount: 1, currency: 'BTC' }, 'currency', 'Invalid currency.'],
    [{ amount: 1, currency: 'x' }, 'currency', 'Invalid value for DisplayCurrency'],
  ])('currencyConversionEstimation refuses %j', async (variables, path, message) => {
    await set(priced(RATES));
    expect(await refused(ESTIMATION, variables)).toEqual([['INVALID_INPUT', [path], message]]);
  });

  it('are refused with PRICE_UNAVAILABLE without a price to be trusted', async () => {
    await set(undefined);
    for (const [document, variables] of [
      [LIST, {}],
      [PRICE, { currency: 'EUR' }],
      [ESTIMATION, { amount: 1, currency: 'EUR' }],
    ] as const)
      expect(await refused(document, variables)).toEqual([['PRICE_UNAVAILABLE', undefined, expect.any(String)]]);
  });
});
