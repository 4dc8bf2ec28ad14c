import type { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { Client } from 'graphql-ws';
import { PriceSource, PriceService, type PriceQuote } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { socketClient, Subscribed } from '../support/graphql.js';
import { listenerCount, untilListening } from '../support/event-probe.js';
import { Fixture } from '../support/fixture.js';
import { eventually } from '../../src/testing/eventually.js';

let quote: PriceQuote | undefined;

@Injectable()
class TestPrice extends PriceSource {
  override async findQuote(): Promise<PriceQuote | undefined> {
    return quote;
  }
}

const priced = (centsPerBtc: bigint, rates: PriceQuote['rates'] = { EUR: 0.8 }): PriceQuote => ({
  centsPerBtc,
  at: new Date(),
  spreadPpm: 0,
  expiresAt: new Date(Date.now() + 600_000),
  ...(rates ? { rates } : {}),
});

const PRICE =
  'subscription ($input: PriceInput!) { event: price(input: $input) { errors { message code path } price { base offset currencyUnit formattedAmount } } }';
const REALTIME = `subscription ($input: RealtimePriceInput!) { event: realtimePrice(input: $input) {
  errors { message code path } realtimePrice { id denominatorCurrencyDetails { symbol } btcSatPrice { base offset } usdCentPrice { base } } } }`;

interface Event {
  readonly event: Readonly<Record<'price' | 'realtimePrice', unknown>> & { readonly errors: readonly unknown[] };
}

describe('live prices', () => {
  let app: TestApp;
  let clients: Client[];
  const start = async (first: PriceQuote | undefined): Promise<void> => {
    quote = first;
    app = await createTestApp({ price: TestPrice });
  };
  beforeEach(() => (clients = []));
  afterEach(async () => {
    await Promise.all(clients.map(async (client) => client.dispose()));
    await app.close();
  });

  const follow = (document: string, input: object): Subscribed<Event> => {
    const client = socketClient(app.url);
    clients.push(client);
    const subscribed = new Subscribed<Event>(client, document, { input });
    subscribed.ended.catch(() => undefined);
    return subscribed;
  };
  const inCents = (amount: unknown): object => ({ amount, amountCurrencyUnit: 'BTCSAT', priceCurrencyUnit: 'USDCENT' });
  /** The source has a new price, and Sluice has asked for it. */
  const becomes = async (next: PriceQuote | undefined): Promise<void> => {
    quote = next;
    app.get(PriceService).refresh();
    await eventually(async () => app.get(PriceService).quote === next);
  };
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
    await start(priced(10_000_000n));
    const [usd, eur] = [follow(REALTIME, {}), follow(REALTIME, { currency: 'eur' })];
    expect((await usd.next()).event).toEqual(realtime(100_000_000_000, 1_000_000));
    expect((await eur.next()).event).toEqual(realtime(80_000_000_000, 800_000, 'EUR', '€'));
    await becomes(priced(10_000_000n, { EUR: 0.9 }));
    expect((await eur.next()).event).toEqual(realtime(90_000_000_000, 900_000, 'EUR', '€'));
    await becomes(priced(11_000_000n, { EUR: 0.9 }));
    // The change of the other currency was none of this one.
    expect((await usd.next()).event).toEqual(realtime(110_000_000_000, 1_000_000));
    expect(usd.events).toHaveLength(2);
  });

  it('price is that of an amount of satoshis in US cents, at once, then at each change', async () => {
    await start(priced(6_125_050n));
    const [one, many] = [follow(PRICE, inCents('1')), follow(PRICE, inCents(999_999))];
    const cents = (base: number, offset: number, formattedAmount: string): object => ({
      errors: [],
      price: { base, offset, currencyUnit: 'USDCENT', formattedAmount },
    });
    expect((await one.next()).event).toEqual(cents(61_250_500_000, 12, '0.0612505'));
    expect((await many.next()).event).toEqual(cents(6_125_043_874_950_000, 11, '61250.4387495'));
    await becomes(priced(100_000_000n));
    expect((await one.next()).event).toEqual(cents(1_000_000_000_000, 12, '1'));
  });

  it('a quote that says the same again is no event', async () => {
    await start(priced(10_000_000n));
    const [usd, sats] = [follow(REALTIME, { currency: 'USD' }), follow(PRICE, inCents(1))];
    await Promise.all([usd.next(), sats.next()]);
    for (let again = 0; again < 3; again++) await becomes(priced(10_000_000n));
    await becomes(priced(20_000_000n));
    expect((await usd.next()).event).toEqual(realtime(200_000_000_000, 1_000_000));
    await sats.next();
    expect([usd.events.length, sats.events.length]).toEqual([2, 2]);
  });

  it('say PRICE_UNAVAILABLE while there is no price, and the price when it comes', async () => {
    await start(undefined);
    const [usd, sats] = [follow(REALTIME, {}), follow(PRICE, inCents(1))];
    expect((await usd.next()).event).toEqual({ errors: UNAVAILABLE, realtimePrice: null });
    expect((await sats.next()).event).toEqual({ errors: UNAVAILABLE, price: null });
    await becomes(priced(10_000_000n));
    expect((await usd.next()).event).toEqual(realtime(100_000_000_000, 1_000_000));
    expect((await sats.next()).event).toMatchObject({ errors: [], price: { formattedAmount: '0.1' } });
    await becomes(undefined);
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
    await start(priced(10_000_000n));
    const subscribed = follow(field === 'price' ? PRICE : REALTIME, input);
    expect((await subscribed.next()).event).toMatchObject({
      errors: [{ code: 'INVALID_INPUT', path: ['input', path], message: expect.stringMatching(message) as string }],
    });
    await subscribed.ended;
    expect(subscribed.events).toHaveLength(1);
  });

  it('end with the subscription: nothing listens for prices any more', async () => {
    await start(priced(10_000_000n));
    const [first, second] = [follow(REALTIME, {}), follow(PRICE, inCents(1))];
    await Promise.all([first.next(), second.next()]);
    expect(followers()).toBe(2);
    first.stop();
    second.stop();
    await eventually(async () => followers() === 0);
  });

  it('send nothing to myUpdates: its first event is a payment', async () => {
    await start(priced(10_000_000n));
    const fixture = new Fixture(app);
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    const client = socketClient(app.url, alice.as('read'));
    clients.push(client);
    updates = new Subscribed(client, 'subscription { myUpdates { errors { code } update { __typename } } }');
    updates.ended.catch(() => undefined);
    await eventually(async () => {
      await becomes(priced(BigInt(10_000_000 + (await alice.sats()))));
      await bob.pay((await alice.invoice(1)).paymentRequest);
      return updates.events.length > 0;
    });
    for (const event of updates.events) expect(event).toEqual({ myUpdates: { errors: [], update: { __typename: 'LnUpdate' } } });
    await fixture.expectBalanced();
  });

  it('come as updates of myUpdates at each change, not at the start, to those who select them', async () => {
    await start(priced(10_000_000n));
    const fixture = new Fixture(app);
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
      await becomes(centsPerBtc && priced(centsPerBtc));
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
    await fixture.expectBalanced();
  });
});
