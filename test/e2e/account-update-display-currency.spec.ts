import { Injectable } from '@nestjs/common';
import { PriceService, PriceSource, type PriceQuote } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';

const UPDATE = `mutation ($currency: DisplayCurrency!) { accountUpdateDisplayCurrency(input: { currency: $currency }) {
  errors { message code path } account { id displayCurrency } } }`;
const PRICE = '{ me { defaultAccount { realtimePrice { denominatorCurrencyDetails { id } btcSatPrice { base offset } } } } }';
const LATEST = `{ me { defaultAccount { transactions { edges { node {
  status settlementAmount settlementDisplayAmount settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset } } } } } } }`;
const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }';

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
  at: new Date(),
  spreadPpm: 0,
  expiresAt: new Date(Date.now() + 600_000),
  ...(rates ? { rates } : {}),
});

describe('accountUpdateDisplayCurrency', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    quote = priced();
    app = await createTestApp({ price: TestPrice });
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
    await use(priced({ EUR: 0.8, JPY: 150, KWD: 0.3 }));
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

  it('requires write', async () => {
    const { errors } = await graphql(app.url, UPDATE, { currency: 'USD' }, alice.as('read'));
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'write' } }]);
  });
});
