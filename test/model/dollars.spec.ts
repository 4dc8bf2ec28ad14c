import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../../src/testing/eventually.js';
import type { Faults } from '../../src/money/lightning/index.js';
import { randomOf } from '../crash/load.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp, payFromDollars, PRICE, sendCents, sendSats, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { WebhookService } from '../../src/money/webhook/index.js';
import { UNTHROTTLED, UNTHROTTLED_SETTINGS as settings } from './host.js';

/** `npm run fuzz -- --dollars` sets them. The same seed gives the same steps. */
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(1, 2 ** 31));
const FUZZ_SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 0);
const STEPS = 80;

jest.setTimeout((FUZZ_SECONDS + 900) * 1_000);

const PEOPLE = 3;
const SATS = 2_000_000;
const BTC = 100_000_000_000n;
const PPM = 1_000_000n;
const SPREAD_PPM = 10_000n;
/** The fee limit: 0.5 %, at least 10 satoshis. */
const limitOf = (msat: bigint): bigint => {
  const share = ((msat / 200n + 999n) / 1_000n) * 1_000n;
  return share > 10_000n ? share : 10_000n;
};

/** What one person has, and the dealer; written apart from the program's own rules. */
class Books {
  readonly msat: bigint[] = Array.from({ length: PEOPLE }, () => BigInt(SATS) * 1_000n);
  readonly cents: bigint[] = Array.from({ length: PEOPLE }, () => 0n);
  dealerMsat = 0n;
  dealerCents = 0n;
  /** What each exchange gave the dealer at the price without a spread, in hundred-billionths of a cent. */
  readonly gains: bigint[] = [];

  exchange(msat: bigint, cents: bigint, price: bigint): void {
    this.dealerMsat += msat;
    this.dealerCents += cents;
    this.gains.push(msat * price + cents * BTC);
  }
}

const CURRENCIES = ['BTC', 'USD'] as const;
/** How a payment to the outside ends: refused, taken, held and refused, held and taken, taken without an answer. */
const FAULTS: readonly Faults[] = [{ fail: 'no_route' }, {}, { hold: true }, { hold: true }, { dropResponse: true }];

interface MadeInvoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
}
/** An invoice of a person, with what it states, and the price at which it was made. */
interface Bill extends MadeInvoice {
  readonly to: number;
  readonly currency: (typeof CURRENCIES)[number];
  readonly msat: bigint | null;
  readonly cents: bigint | null;
  readonly pinned: bigint;
  readonly pinnedBid: bigint;
  readonly isForeign: boolean;
}
interface Sent {
  readonly status: string;
}

const PAY_ADDRESS =
  'mutation ($input: LnAddressPaymentSendInput!) { answer: lnAddressPaymentSend(input: $input) { status errors { code } } }';
const PAY = 'mutation ($input: LnInvoicePaymentInput!) { answer: lnInvoicePaymentSend(input: $input) { status errors { code } } }';
const PAY_OPEN =
  'mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) { status errors { code } } }';

describe(`dollars while the price moves, with the seed ${SEED}`, () => {
  let app: TestApp;
  let hasty: TestApp;
  let fixture: Fixture;
  let people: Person[];
  let receiver: WebhookReceiver;
  /** Hashes of the invoices with a webhook of their own that were paid. */
  const paidForStrangers = new Set<string>();
  const books = new Books();
  const pick = randomOf(SEED);
  let price = PRICE;

  const bid = (): bigint => (price * (PPM - SPREAD_PPM)) / PPM;
  const ask = (): bigint => (price * (PPM + SPREAD_PPM) + PPM - 1n) / PPM;
  const person = (index: number): Person => people[index] as Person;
  const had = (list: readonly bigint[], index: number): bigint => list[index] ?? 0n;
  /** Cents for an amount, rounded up. */
  const up = (amount: bigint, at: bigint): bigint => (amount * at + BTC - 1n) / BTC;
  const upToSats = (amount: bigint): bigint => ((amount + 999n) / 1_000n) * 1_000n;
  const add = (list: bigint[], index: number, amount: bigint): void => void (list[index] = had(list, index) + amount);

  const move = async (): Promise<void> => {
    price = (PRICE * BigInt(30 + pick(300))) / 100n;
    await setPrice(app, price);
    await setPrice(hasty, price);
  };

  /** An invoice of a person, by that person or by a caller without a credential, for bitcoin or dollars, with an amount or without. */
  const bill = async (): Promise<Bill> => {
    const [to, currency, isOpen, isForeign, amount] = [
      pick(PEOPLE),
      CURRENCIES[pick(2)],
      pick(3) === 0,
      pick(2) === 0,
      1_000 + pick(9_000),
    ];
    if (!currency) throw new Error('Unreachable');
    // Satoshis, or cents; a stranger may state the value of dollars in satoshis.
    const isInSats = currency === 'BTC' || (isForeign && pick(2) === 0);
    const kind = isOpen ? 'lnNoAmountInvoice' : currency === 'BTC' ? 'lnInvoice' : isInSats ? 'lnUsdInvoiceBtcDenominated' : 'lnUsdInvoice';
    const field = `${kind}Create${isForeign ? 'OnBehalfOfRecipient' : ''}`;
    const document = `mutation ($input: ${field.replace('ln', 'Ln')}Input!) { answer: ${field}(input: $input) { errors { code } invoice { paymentRequest paymentHash } } }`;
    const input = {
      [isForeign ? 'recipientWalletId' : 'walletId']: person(to).wallets[currency],
      ...(!isOpen && { amount }),
      ...(isForeign && { webhookUrl: receiver.url('/invoice') }),
    };
    const { answer } = await dataOf(app.url, document, { input }, isForeign ? {} : person(to).as('receive'));
    expect(answer.errors).toEqual([]);
    const [sats, made] = [
      BigInt(amount) * 1_000n,
      { to, currency, isForeign, pinned: price, pinnedBid: bid(), ...(answer.invoice as MadeInvoice) },
    ];
    if (isOpen) return { ...made, msat: null, cents: null };
    if (currency === 'BTC') return { ...made, msat: sats, cents: null };
    if (isInSats) return { ...made, msat: sats, cents: (sats * bid()) / BTC };
    return { ...made, msat: ((BigInt(amount) * BTC + bid() * 1_000n - 1n) / (bid() * 1_000n)) * 1_000n, cents: BigInt(amount) };
  };

  const payOpenInvoice = async (payer: Person, paymentRequest: string, amount: number, at = app): Promise<Sent> => {
    const input = { walletId: payer.wallets.BTC, paymentRequest, amount };
    return (await dataOf(at.url, PAY_OPEN, { input }, payer.as('write'))).answer as Sent;
  };
  const sendOutside = async (at: TestApp, payer: Person, paymentRequest: string, isDollars: boolean, chosen?: number): Promise<Sent> => {
    if (isDollars) return (await payFromDollars(at, payer, paymentRequest, chosen)) as Sent;
    if (chosen !== undefined) return payOpenInvoice(payer, paymentRequest, chosen, at);
    const input = { walletId: payer.wallets.BTC, paymentRequest };
    return (await dataOf(at.url, PAY, { input }, payer.as('write'))).answer as Sent;
  };

  /** @param at the price, and the bid, at which cents are bought; by default those of the invoice */
  const credit = (known: Bill, msat: bigint, at = { price: known.pinned, bid: known.pinnedBid }): void => {
    const { to, currency, cents, isForeign, paymentHash } = known;
    if (isForeign) paidForStrangers.add(paymentHash);
    if (currency === 'BTC') return add(books.msat, to, msat);
    const bought = cents ?? (msat * at.bid) / BTC;
    add(books.cents, to, bought);
    books.exchange(msat, -bought, at.price);
  };
  /** What an invoice costs a wallet in bitcoin of this server now, and at which price; undefined: it has moved too far. */
  const costOf = (known: Bill, msat: bigint, isOwn: boolean): { cost: bigint; at?: { price: bigint; bid: bigint } } | undefined => {
    if (known.currency === 'BTC' || (!isOwn && 2n * known.pinnedBid <= bid() + ask())) return { cost: msat };
    const at = { price, bid: bid() };
    if (known.cents === null || at.bid === known.pinnedBid) return { cost: msat, at };
    const cost = upToSats((known.cents * BTC + at.bid - 1n) / at.bid);
    return cost > upToSats(msat + msat / 200n) ? undefined : { cost, at };
  };
  const expectEnd = (answer: { status: string }, must: boolean): void =>
    expect(answer).toMatchObject({ status: must ? 'SUCCESS' : 'FAILURE' });

  /** Pays an invoice of a person at a later price: from outside, from bitcoin, or from dollars. */
  const payBill = async (known: Bill): Promise<void> => {
    const { paymentRequest, paymentHash, to, currency } = known;
    const [way, from, chosen] = [pick(3), pick(PEOPLE), 1_000 + pick(9_000)];
    await move();
    const msat = known.msat ?? BigInt(chosen) * 1_000n;
    if (way === 0) {
      await fixture.simulator.payOutside(paymentRequest, known.msat === null ? { amountMsat: msat } : {});
      const paid = `SELECT FROM invoice WHERE payment_hash = $1 AND state = 'paid'`;
      await eventually(async () => (await app.pool.query(paid, [paymentHash])).rowCount === 1);
      const isFallen = known.msat === null && bid() < known.pinnedBid;
      return credit(known, msat, isFallen ? { price, bid: bid() } : undefined);
    }
    const isSelf = from === to && currency === CURRENCIES[way - 1];
    if (way === 1) {
      const now = costOf(known, msat, from === to);
      const must = !isSelf && now !== undefined && had(books.msat, from) >= now.cost;
      const paid = known.msat === null ? payOpenInvoice(person(from), paymentRequest, chosen) : person(from).pay(paymentRequest);
      expectEnd((await paid) as Sent, must);
      if (!must) return;
      add(books.msat, from, -now.cost);
      return credit(known, now.cost, now.at);
    }
    const bought = ((BigInt(chosen) * BTC) / ask() / 1_000n) * 1_000n;
    const cents = known.msat === null ? BigInt(chosen) : currency === 'USD' ? (known.cents ?? 0n) : up(msat, ask());
    const must = !isSelf && had(books.cents, from) >= cents;
    expectEnd(await payFromDollars(app, person(from), paymentRequest, known.msat === null ? chosen : undefined), must);
    if (!must) return;
    add(books.cents, from, -cents);
    if (known.isForeign) paidForStrangers.add(paymentHash);
    if (currency === 'USD') return add(books.cents, to, cents);
    const got = known.msat ?? bought;
    add(books.msat, to, got);
    books.exchange(-got, cents, price);
  };

  /** To the Lightning address of a person, which pays into the wallet in bitcoin. */
  const payAddress = async (): Promise<void> => {
    const [from, to, currency, amount] = [pick(PEOPLE), pick(PEOPLE), CURRENCIES[pick(2)], 1 + pick(50_000)];
    const [msat, isDollars] = [BigInt(amount) * 1_000n, currency === 'USD'];
    const cents = up(msat, ask());
    const must = isDollars ? had(books.cents, from) >= cents : from !== to && had(books.msat, from) >= msat;
    const lnAddress = `${person(to).username}@${new URL(app.url).host}`;
    const input = { walletId: person(from).wallets[isDollars ? 'USD' : 'BTC'], lnAddress, amount };
    expectEnd((await dataOf(app.url, PAY_ADDRESS, { input }, person(from).as('write'))).answer as Sent, must);
    if (!must) return;
    add(books.msat, to, msat);
    if (!isDollars) return add(books.msat, from, -msat);
    add(books.cents, from, -cents);
    books.exchange(-msat, cents, price);
  };

  /** To the outside, which takes, refuses or holds it, or answers nothing, while the price moves; the fee is probed first. */
  const payOutside = async (): Promise<void> => {
    const [from, isDollars, isOpen, chosen, end] = [pick(PEOPLE), pick(2) === 0, pick(3) === 0, 50 + pick(3_000), pick(5)];
    const [pinned, pinnedAsk, routeFeeMsat] = [price, ask(), BigInt(pick(10_000))];
    const isChosenInCents = isDollars && isOpen;
    const msat = isChosenInCents ? ((BigInt(chosen) * BTC) / pinnedAsk / 1_000n) * 1_000n : BigInt(chosen) * 1_000n;
    const faults = { routeFeeMsat, ...FAULTS[end] };
    const outside = await fixture.simulator.createOutsideInvoice({ amountMsat: isOpen ? null : msat, faults });
    const cost = (spent: bigint): bigint => (isDollars ? up(spent, pinnedAsk) : upToSats(spent));
    const most = (...amounts: bigint[]): bigint => amounts.reduce((one, other) => (one > other ? one : other));
    const amount = isChosenInCents ? BigInt(chosen) : cost(msat);
    const reserve = most(amount, cost(msat + limitOf(msat)));
    const list = isDollars ? books.cents : books.msat;
    const covered = had(list, from) >= reserve;
    const at = end > 1 ? hasty : app;
    const answer = await sendOutside(at, person(from), outside.paymentRequest, isDollars, isOpen ? chosen : undefined);
    if (end > 2) expect(covered ? ['SUCCESS', 'PENDING'] : ['FAILURE']).toContain(answer.status);
    else if (end === 2) expect(answer).toMatchObject({ status: covered ? 'PENDING' : 'FAILURE' });
    else expectEnd(answer, covered && end === 1);
    if (!covered) return;
    if (end > 1) {
      await move();
      if (end < 4) await fixture.release(outside.paymentHash, end === 2 ? 'rejected' : undefined);
      const ended = `SELECT FROM payment WHERE payment_hash = $1 AND state <> 'in_flight'`;
      await eventually(async () => (await app.pool.query(ended, [outside.paymentHash])).rowCount === 1);
    }
    if (end === 0 || end === 2) return;
    const charged = most(amount, cost(msat + routeFeeMsat));
    add(list, from, -charged);
    if (isDollars) books.exchange(-msat - routeFeeMsat, charged, pinned);
  };

  const steps: readonly (() => Promise<void>)[] = [
    move,
    async () => {
      const [from, to, sats] = [pick(PEOPLE), pick(PEOPLE), 1 + pick(100_000)];
      const msat = BigInt(sats) * 1_000n;
      const cents = (msat * bid()) / BTC;
      const must = cents > 0n && had(books.msat, from) >= msat;
      expect(await sendSats(app, person(from), person(to).wallets.USD, sats)).toMatchObject({ status: must ? 'SUCCESS' : 'FAILURE' });
      if (!must) return;
      add(books.msat, from, -msat);
      add(books.cents, to, cents);
      books.exchange(msat, -cents, price);
    },
    async () => {
      const [from, to, cents] = [pick(PEOPLE), pick(PEOPLE), 1 + pick(3_000)];
      const msat = ((BigInt(cents) * BTC) / ask() / 1_000n) * 1_000n;
      const must = msat > 0n && had(books.cents, from) >= BigInt(cents);
      expect(await sendCents(app, person(from), person(to).wallets.BTC, cents)).toMatchObject({ status: must ? 'SUCCESS' : 'FAILURE' });
      if (!must) return;
      add(books.cents, from, -BigInt(cents));
      add(books.msat, to, msat);
      books.exchange(-msat, BigInt(cents), price);
    },
    async () => payBill(await bill()),
    payAddress,
    payOutside,
    payOutside,
  ];

  /** Compares what is stored with the model. */
  const compare = async (): Promise<void> => {
    const { rows } = await app.pool.query<{ id: string; posted: bigint; held: bigint }>(
      'SELECT w.id, a.posted, a.held FROM wallet w JOIN ledger_account a ON a.id = w.ledger_account_id',
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const [index, { wallets }] of people.entries()) {
      expect(stored.get(wallets.BTC)).toMatchObject({ posted: had(books.msat, index), held: 0n });
      expect(stored.get(wallets.USD)).toMatchObject({ posted: had(books.cents, index), held: 0n });
    }
    const dealer = await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id IN (-3, -4) ORDER BY id DESC');
    expect(dealer.rows.map(({ posted }) => posted)).toEqual([books.dealerMsat, books.dealerCents]);
  };

  /** The sums of what was posted about each transaction that has succeeded: the balances. */
  const posted = (index: number): Record<string, bigint> => {
    const sums: Record<string, bigint> = { BTC: 0n, USD: 0n };
    // A delivery may be repeated.
    const ended = new Map(
      receiver.at(`/${index}`).map(({ event: { transaction } }) => [`${transaction.id} ${transaction.status}`, transaction]),
    );
    for (const { status, settlementAmount, settlementCurrency } of ended.values())
      if (status === 'success') sums[settlementCurrency] = (sums[settlementCurrency] ?? 0n) + BigInt(settlementAmount);
    return sums;
  };
  const expectPosted = async (): Promise<void> => {
    const expected = people.map((_, index) => ({ BTC: had(books.msat, index) / 1_000n, USD: had(books.cents, index) }));
    const found = (): unknown => people.map((_, index) => posted(index));
    const invoices = (): Set<string> =>
      new Set(receiver.at('/invoice').flatMap(({ event }) => (event.status === 'PAID' ? [event.paymentHash] : [])));
    await eventually(() => isDeepStrictEqual([found(), invoices()], [expected, paidForStrangers])).catch(() => undefined);
    expect(found()).toEqual(expected);
    expect(invoices()).toEqual(paidForStrangers);
  };

  beforeAll(async () => {
    const env = { ...UNTHROTTLED, RECONCILE_AFTER_SECONDS: '0' };
    app = await createDollarApp({ env, settings });
    hasty = await createDollarApp({ beside: app, settings, env: { ...env, PAYMENT_WAIT_SECONDS: '1' } });
    fixture = new Fixture(app);
    receiver = await WebhookReceiver.start();
    people = await Promise.all(Array.from({ length: PEOPLE }, () => fixture.user()));
    await eventually(async () => (await app.pool.query(`SELECT FROM event_consumer WHERE name = 'webhook'`)).rowCount === 1);
    for (const [index, { accountId }] of people.entries()) await app.get(WebhookService).add(accountId, receiver.url(`/${index}`));
    for (const one of people) await fixture.fund(one, SATS);
  });
  afterAll(async () => {
    await hasty.close();
    await app.close();
    receiver.stop();
  });

  it('are to the cent what a model and the webhooks say, no wallet is below zero, and no exchange costs the dealer at its price', async () => {
    const until = Date.now() + FUZZ_SECONDS * 1_000;
    for (let index = 0; index < STEPS || Date.now() < until; index++) {
      await steps[pick(steps.length)]?.();
      await compare();
    }
    expect(books.gains.length).toBeGreaterThan(STEPS / 10);
    expect(books.gains.filter((gain) => gain < 0n)).toEqual([]);
    expect(books.dealerCents).toBe(-books.cents.reduce((sum, cents) => sum + cents, 0n));
    expect(await violationsAtRest(app.pool)).toEqual({});
    await fixture.expectBalanced();
    await expectPosted();
  });

  it('are to the cent the same after many exchanges at the same time, while the price moves', async () => {
    const before = await app.pool.query<{ sum: bigint }>(
      'SELECT sum(posted)::int8 AS sum FROM ledger_account WHERE currency = 1 AND id > 0 OR id = -3',
    );
    const answers: { readonly status: string }[] = [];
    const send = (index: number): Promise<{ readonly status: string }> =>
      index % 2 === 0
        ? sendSats(app, person(pick(PEOPLE)), person(pick(PEOPLE)).wallets.USD, 1 + pick(5_000))
        : sendCents(app, person(pick(PEOPLE)), person(pick(PEOPLE)).wallets.BTC, 1 + pick(500));
    for (let round = 0; round < 3; round++)
      answers.push(
        ...(await Promise.all([...Array.from({ length: 30 }, (_, index) => send(index)), move().then(() => ({ status: 'moved' }))])),
      );
    expect(answers.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(20);
    expect(await violationsAtRest(app.pool)).toEqual({});
    const after = await app.pool.query<{ sum: bigint }>(
      'SELECT sum(posted)::int8 AS sum FROM ledger_account WHERE currency = 1 AND id > 0 OR id = -3',
    );
    expect(after.rows).toEqual(before.rows);
    const dollars = await app.pool.query<{ sum: bigint }>('SELECT sum(posted)::int8 AS sum FROM ledger_account WHERE currency = 2');
    expect(dollars.rows[0]?.sum).toBe(0n);
  });
});
