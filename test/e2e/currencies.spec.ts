import { PriceService, PriceSource, type PriceQuote } from '../../src/index.js';
import { Injectable } from '@nestjs/common';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';
import { eventually } from '../../src/testing/eventually.js';
import { Fixture, type Person } from '../support/fixture.js';
import type { EventEmitter } from 'node:events';
import type { Client } from 'graphql-ws';
import { listenerCount, untilListening } from '../support/event-probe.js';

const AT = new Date('2026-01-02T03:04:05.678Z');

let quote: PriceQuote | undefined;

@Injectable()
class TestPrice extends PriceSource {
  override async findQuote(): Promise<PriceQuote | undefined> {
    return quote;
  }
}

/** 1,000 satoshis are one US dollar. */
const priced = (rates?: PriceQuote['rates']): PriceQuote => ({
  centsPerBtc: 10_000_000n,
  at: AT,
  spreadPpm: 0,
  expiresAt: new Date(Date.now() + 600_000),
  ...(rates ? { rates } : {}),
});

let app: TestApp;
let fixture: Fixture;
beforeAll(async () => {
  quote = priced();
  app = await createTestApp({ price: TestPrice });
  fixture = new Fixture(app);
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

/** Until the process uses the quote and has stored its rates. */
const use = async (next: PriceQuote | undefined): Promise<void> => {
  quote = next;
  const prices = app.get(PriceService);
  prices.refresh();
  await eventually(() => prices.quote === next);
  const { EUR } = next?.rates ?? {};
  if (EUR === undefined) return;
  await eventually(async () => {
    const { rows } = await app.pool.query<{ rate: string }>(`SELECT rates ->> 'EUR' AS rate FROM price_rate`);
    return rows[0]?.rate === String(EUR * 1e9);
  });
};

describe('display currencies', () => {
  const RATES = { JPY: 150, EUR: 0.8, KWD: 0.3, XAF: 600, IRR: 42_000, QQQ: 5, USD: 7, BTC: 0.5 };

  const LIST = '{ currencyList { __typename id name symbol flag fractionDigits } }';
  const PRICE = `query ($currency: DisplayCurrency) { realtimePrice(currency: $currency) {
    id timestamp denominatorCurrency denominatorCurrencyDetails { id fractionDigits } btcSatPrice { base offset } usdCentPrice { base offset } } }`;
  const ESTIMATION = `query ($amount: Float!, $currency: DisplayCurrency!) {
    currencyConversionEstimation(amount: $amount, currency: $currency) { id timestamp btcSatAmount usdCentAmount } }`;

  const ids = async (): Promise<string[]> => (await dataOf(app.url, LIST)).currencyList.map(({ id }: { id: string }) => id);
  const estimate = async (amount: number, currency: string): Promise<unknown> =>
    (await dataOf(app.url, ESTIMATION, { amount, currency })).currencyConversionEstimation;
  const refused = async (document: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { data, errors } = await graphql(app.url, document, variables);
    expect(data).toBeNull();
    return errors?.map(({ message, extensions }) => [extensions?.code, extensions?.argument, message]);
  };

  it('are those with a rate that are currencies of ISO 4217, with the US dollar first', async () => {
    await use(priced(RATES));
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
    await use(priced());
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
    await use(priced(RATES));
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
    await use({ ...priced({ EUR: 0.8, IRR: 1e9 }), centsPerBtc: 1_000_000_000n });
    expect(await ids()).toEqual(['USD', 'EUR']);
    expect(await refused(PRICE, { currency: 'IRR' })).toEqual([['INVALID_INPUT', ['currency'], 'Invalid currency.']]);
  });

  it('currencyConversionEstimation says what an amount is worth, to the nearest', async () => {
    await use(priced(RATES));
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
    await use(priced(RATES));
    expect(await refused(ESTIMATION, variables)).toEqual([['INVALID_INPUT', [path], message]]);
  });

  it('are refused with PRICE_UNAVAILABLE without a price to be trusted', async () => {
    await use(undefined);
    for (const [document, variables] of [
      [LIST, {}],
      [PRICE, { currency: 'EUR' }],
      [ESTIMATION, { amount: 1, currency: 'EUR' }],
    ] as const)
      expect(await refused(document, variables)).toEqual([['PRICE_UNAVAILABLE', undefined, expect.any(String)]]);
  });
});

describe('accountUpdateDisplayCurrency', () => {
  const UPDATE = `mutation ($currency: DisplayCurrency!) { accountUpdateDisplayCurrency(input: { currency: $currency }) {
    errors { message code path } account { id displayCurrency } } }`;
  const PRICE = '{ me { defaultAccount { realtimePrice { denominatorCurrencyDetails { id } btcSatPrice { base offset } } } } }';
  const LATEST = `{ me { defaultAccount { transactions { edges { node {
    status settlementAmount settlementDisplayAmount settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset } } } } } } }`;
  const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }';

  let alice: Person;
  let bob: Person;

  beforeEach(async () => {
    await use(priced({ EUR: 0.8, JPY: 150, KWD: 0.3 }));
    [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
  });

  const choose = async (currency: string, person = alice): Promise<unknown> =>
    (await dataOf(app.url, UPDATE, { currency }, person.as('all'))).accountUpdateDisplayCurrency;
  const send = async (amount: number): Promise<void> => {
    const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount };
    const { intraLedgerPaymentSend } = await dataOf(app.url, SEND, { input }, alice.as('write'));
    expect(intraLedgerPaymentSend).toEqual({ status: 'SUCCESS', errors: [] });
  };
  const historyOf = async (person: Person): Promise<readonly Record<string, unknown>[]> =>
    (await dataOf(app.url, LATEST, {}, person.as('read'))).me.defaultAccount.transactions.edges.map(
      ({ node }: { node: Record<string, unknown> }) => node,
    );
  const displayed = async (person: Person): Promise<unknown> =>
    (await historyOf(person)).map((row) => `${row['settlementDisplayAmount'] as string} ${row['settlementDisplayCurrency'] as string}`);

  it('is the currency of the prices and of new transactions; older ones and other people keep theirs', async () => {
    expect(await choose('eur')).toEqual({ errors: [], account: { id: alice.accountId, displayCurrency: 'EUR' } });
    expect((await dataOf(app.url, PRICE, {}, alice.as('read'))).me.defaultAccount.realtimePrice).toEqual({
      denominatorCurrencyDetails: { id: 'EUR' },
      btcSatPrice: { base: 80_000_000_000, offset: 12 },
    });
    await send(1_000);
    await choose('JPY');
    await send(500);
    expect((await historyOf(alice))[0]).toEqual({
      status: 'SUCCESS',
      settlementAmount: -500,
      settlementDisplayAmount: '-75',
      settlementDisplayFee: '0',
      settlementDisplayCurrency: 'JPY',
      settlementPrice: { base: 150_000_000_000, offset: 12 },
    });
    expect(await displayed(alice)).toEqual(['-75 JPY', '-0.80 EUR', '10.00 USD']);
    expect(await displayed(bob)).toEqual(['0.50 USD', '1.00 USD']);
  });

  it('is frozen: neither another rate nor another currency changes what has happened', async () => {
    await choose('KWD');
    await alice.pay((await fixture.outside(5_000, { routeFeeMsat: 10_500n })).paymentRequest);
    const [before] = await historyOf(alice);
    expect(before).toEqual({
      status: 'SUCCESS',
      settlementAmount: -5_011,
      settlementDisplayAmount: '-1.503',
      settlementDisplayFee: '0.003',
      settlementDisplayCurrency: 'KWD',
      settlementPrice: { base: 300_000_000_000, offset: 12 },
    });
    await use(priced({ EUR: 0.9, KWD: 0.5 }));
    await choose('USD');
    expect((await historyOf(alice))[0]).toEqual(before);
  });

  it('is US dollars in the history while the currency has no price, bitcoin without any, and money settles', async () => {
    await choose('EUR');
    await app.pool.query('UPDATE price_rate SET expires_at = now()');
    await send(1_000);
    await use(undefined);
    await send(1_000);
    expect(await displayed(alice)).toEqual(['-0.00001000 BTC', '-1.00 USD', '10.00 USD']);
    expect(await alice.sats()).toBe(8_000);
    const { errors } = await graphql(app.url, PRICE, {}, alice.as('read'));
    expect(errors).toMatchObject([{ extensions: { code: 'PRICE_UNAVAILABLE' } }]);
  });

  it('must have a price; US dollars can always be chosen', async () => {
    const invalid = { message: 'Invalid currency.', code: 'INVALID_INPUT', path: ['input', 'currency'] };
    for (const currency of ['CHF', 'XYZ', 'BTC']) expect(await choose(currency)).toEqual({ errors: [invalid], account: null });
    expect(await choose('EUR')).toMatchObject({ errors: [] });
    await use(undefined);
    expect(await choose('EUR')).toMatchObject({ errors: [{ code: 'PRICE_UNAVAILABLE' }], account: null });
    expect(await choose('USD')).toEqual({ errors: [], account: { id: alice.accountId, displayCurrency: 'USD' } });
  });

  it('is none of the source’s that is no number which JSON keeps exact', async () => {
    await use(priced({ EUR: 0.8, VND: 1e9 }));
    expect(await choose('VND')).toMatchObject({ errors: [{ code: 'INVALID_INPUT' }] });
    expect((await app.pool.query(`SELECT rates ? 'VND' AS stored FROM price_rate`)).rows).toEqual([{ stored: false }]);
  });
});

describe('live prices', () => {
  const at = (centsPerBtc: bigint, rates: PriceQuote['rates'] = { EUR: 0.8 }): PriceQuote => ({ ...priced(rates), centsPerBtc });

  const PRICE =
    'subscription ($input: PriceInput!) { event: price(input: $input) { errors { message code path } price { base offset currencyUnit formattedAmount } } }';
  const REALTIME = `subscription ($input: RealtimePriceInput!) { event: realtimePrice(input: $input) {
    errors { message code path } realtimePrice { id denominatorCurrencyDetails { symbol } btcSatPrice { base offset } usdCentPrice { base } } } }`;

  interface Event {
    readonly event: Readonly<Record<'price' | 'realtimePrice', unknown>> & { readonly errors: readonly unknown[] };
  }

  let clients: Client[];
  beforeEach(() => (clients = []));
  afterEach(async () => {
    await Promise.all(clients.map(async (client) => client.dispose()));
    await eventually(async () => followers() === 0);
  });

  const follow = (document: string, input: object): Subscribed<Event> => {
    const client = socketClient(app.url);
    clients.push(client);
    const subscribed = new Subscribed<Event>(client, document, { input });
    subscribed.ended.catch(() => undefined);
    return subscribed;
  };
  const inCents = (amount: unknown): object => ({ amount, amountCurrencyUnit: 'BTCSAT', priceCurrencyUnit: 'USDCENT' });
  /** Without the component that stores prices. */
  const followers = (): number => (app.get(PriceService) as unknown as { bus: EventEmitter }).bus.listenerCount('asked') - 1;
  let updates: Subscribed<{ myUpdates: unknown }>;
  const realtime = (base: number, cent: number, id = 'USD', symbol = '$'): object => ({
    errors: [],
    realtimePrice: {
      id,
      denominatorCurrencyDetails: { symbol },
      btcSatPrice: { base, offset: 12 },
      usdCentPrice: { base: cent },
    },
  });
  const UNAVAILABLE = [{ message: expect.any(String) as string, code: 'PRICE_UNAVAILABLE', path: null }];

  it('realtimePrice is the price at once, then each change, in every currency with a price', async () => {
    await use(at(10_000_000n));
    const [usd, eur] = [follow(REALTIME, {}), follow(REALTIME, { currency: 'eur' })];
    expect((await usd.next()).event).toEqual(realtime(100_000_000_000, 1_000_000));
    expect((await eur.next()).event).toEqual(realtime(80_000_000_000, 800_000, 'EUR', '€'));
    await use(at(10_000_000n, { EUR: 0.9 }));
    expect((await eur.next()).event).toEqual(realtime(90_000_000_000, 900_000, 'EUR', '€'));
    await use(at(11_000_000n, { EUR: 0.9 }));
    // The change of the other currency was none of this one.
    expect((await usd.next()).event).toEqual(realtime(110_000_000_000, 1_000_000));
    expect(usd.events).toHaveLength(2);
  });

  it('price is that of an amount of satoshis in US cents, at once, then at each change', async () => {
    await use(at(6_125_050n));
    const [one, many] = [follow(PRICE, inCents('1')), follow(PRICE, inCents(999_999))];
    const cents = (base: number, offset: number, formattedAmount: string): object => ({
      errors: [],
      price: { base, offset, currencyUnit: 'USDCENT', formattedAmount },
    });
    expect((await one.next()).event).toEqual(cents(61_250_500_000, 12, '0.0612505'));
    expect((await many.next()).event).toEqual(cents(6_125_043_874_950_000, 11, '61250.4387495'));
    await use(at(100_000_000n));
    expect((await one.next()).event).toEqual(cents(1_000_000_000_000, 12, '1'));
  });

  it('a quote that says the same again is no event', async () => {
    await use(at(10_000_000n));
    const [usd, sats] = [follow(REALTIME, { currency: 'USD' }), follow(PRICE, inCents(1))];
    await Promise.all([usd.next(), sats.next()]);
    for (let again = 0; again < 3; again++) await use(at(10_000_000n));
    await use(at(20_000_000n));
    expect((await usd.next()).event).toEqual(realtime(200_000_000_000, 1_000_000));
    await sats.next();
    expect([usd.events.length, sats.events.length]).toEqual([2, 2]);
  });

  it('say PRICE_UNAVAILABLE while there is no price, and the price when it comes', async () => {
    await use(undefined);
    const [usd, sats] = [follow(REALTIME, {}), follow(PRICE, inCents(1))];
    expect((await usd.next()).event).toEqual({ errors: UNAVAILABLE, realtimePrice: null });
    expect((await sats.next()).event).toEqual({ errors: UNAVAILABLE, price: null });
    await use(at(10_000_000n));
    expect((await usd.next()).event).toEqual(realtime(100_000_000_000, 1_000_000));
    expect((await sats.next()).event).toMatchObject({ errors: [], price: { formattedAmount: '0.1' } });
    await use(undefined);
    expect((await usd.next()).event).toEqual({ errors: UNAVAILABLE, realtimePrice: null });
    expect((await sats.next()).event).toEqual({ errors: UNAVAILABLE, price: null });
  });

  it.each<[field: string, input: object, path: string, message: RegExp]>([
    ['realtimePrice', { currency: 'CHF' }, 'currency', /^Invalid currency\.$/],
    ['realtimePrice', { currency: 'XYZ' }, 'currency', /^Invalid currency\.$/],
    ['price', inCents(0), 'amount', /^A valid satoshi amount is required$/],
    ['price', inCents(1_000_000), 'amount', /below 1000000 satoshis/],
    ['price', { ...inCents(1), amountCurrencyUnit: 'USDCENT' }, 'amountCurrencyUnit', /BTCSAT/],
    ['price', { ...inCents(1), priceCurrencyUnit: 'BTCSAT' }, 'priceCurrencyUnit', /USDCENT/],
  ])('%s refuses %j in its only event', async (field, input, path, message) => {
    await use(at(10_000_000n));
    const subscribed = follow(field === 'price' ? PRICE : REALTIME, input);
    expect((await subscribed.next()).event).toMatchObject({
      errors: [{ code: 'INVALID_INPUT', path: ['input', path], message: expect.stringMatching(message) as string }],
    });
    await subscribed.ended;
    expect(subscribed.events).toHaveLength(1);
  });

  it('end with the subscription: nothing listens for prices any more', async () => {
    await use(at(10_000_000n));
    const [first, second] = [follow(REALTIME, {}), follow(PRICE, inCents(1))];
    await Promise.all([first.next(), second.next()]);
    expect(followers()).toBe(2);
    first.stop();
    second.stop();
    await eventually(async () => followers() === 0);
  });

  it('send nothing to myUpdates: its first event is a payment', async () => {
    await use(at(10_000_000n));
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    const client = socketClient(app.url, alice.as('read'));
    clients.push(client);
    updates = new Subscribed(client, 'subscription { myUpdates { errors { code } update { __typename } } }');
    updates.ended.catch(() => undefined);
    await eventually(async () => {
      await use(at(BigInt(10_000_000 + (await alice.sats()))));
      await bob.pay((await alice.invoice(1)).paymentRequest);
      return updates.events.length > 0;
    });
    for (const event of updates.events) expect(event).toEqual({ myUpdates: { errors: [], update: { __typename: 'LnUpdate' } } });
  });

  it('come as updates of myUpdates at each change, not at the start, to those who select them', async () => {
    await use(at(10_000_000n));
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    const document = `subscription { myUpdates { errors { code } update { __typename ...tick ... on RealtimePrice { btcSatPrice { base } } } } }
      fragment tick on Price { formattedAmount currencyUnit }`;
    const client = socketClient(app.url, alice.as('read'));
    clients.push(client);
    await untilListening(app, 'transaction.changed', alice.accountId, () => {
      updates = new Subscribed(client, document);
      updates.ended.catch(() => undefined);
    });
    const nextTwo = async (): Promise<unknown[]> => [(await updates.next()).myUpdates, (await updates.next()).myUpdates];
    await eventually(async () => followers() === 2);
    for (const [centsPerBtc, cents] of [
      [20_000_000n, '0.2'],
      [undefined, ''],
      [30_000_000n, '0.3'],
    ] as const) {
      await use(centsPerBtc && at(centsPerBtc));
      if (!centsPerBtc) continue;
      expect(await nextTwo()).toEqual([
        { errors: [], update: { __typename: 'Price', formattedAmount: cents, currencyUnit: 'USDCENT' } },
        { errors: [], update: { __typename: 'RealtimePrice', btcSatPrice: { base: Number(centsPerBtc) * 10_000 } } },
      ]);
    }
    await bob.pay((await alice.invoice(1)).paymentRequest);
    expect((await updates.next()).myUpdates).toEqual({ errors: [], update: { __typename: 'LnUpdate' } });
    updates.stop();
    await eventually(async () => followers() === 0 && listenerCount(app, 'transaction.changed', alice.accountId) === 0);
  });
});
