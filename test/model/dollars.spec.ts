import { randomInt } from 'node:crypto';
import { eventually } from '../../src/testing/eventually.js';
import { randomOf } from '../crash/load.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp, createInvoice, payFromDollars, PRICE, sendCents, sendSats, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { violationsAtRest } from '../support/ledger-invariants.js';

const SEED = Number(process.env.DOLLARS_SEED ?? randomInt(1, 2 ** 31));
const STEPS = 70;
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

describe(`dollars while the price moves, with the seed ${SEED}`, () => {
  let app: TestApp;
  let hasty: TestApp;
  let fixture: Fixture;
  let people: Person[];
  const books = new Books();
  const pick = randomOf(SEED);
  let price = PRICE;

  const bid = (): bigint => (price * (PPM - SPREAD_PPM)) / PPM;
  const ask = (): bigint => (price * (PPM + SPREAD_PPM) + PPM - 1n) / PPM;
  const person = (index: number): Person => people[index] as Person;
  const had = (list: readonly bigint[], index: number): bigint => list[index] ?? 0n;
  const add = (list: bigint[], index: number, amount: bigint): void => void (list[index] = had(list, index) + amount);

  const move = async (): Promise<void> => {
    price = (PRICE * BigInt(30 + pick(300))) / 100n;
    await setPrice(app, price);
    await setPrice(hasty, price);
  };

  /** Each returns whether the payment must succeed, after it has changed the model if so. */
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
    async () => {
      const [to, cents, way] = [pick(PEOPLE), 1 + pick(2_000), pick(3)];
      const pinned = price;
      const msat = ((BigInt(cents) * BTC + bid() * 1_000n - 1n) / (bid() * 1_000n)) * 1_000n;
      const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', person(to), cents);
      expect(invoice.satoshis).toBe(Number(msat / 1_000n));
      await move();
      const from = (to + 1) % PEOPLE;
      if (way === 0) {
        await fixture.simulator.payOutside(invoice.paymentRequest as string);
        await eventually(
          async () =>
            (await app.pool.query(`SELECT FROM invoice WHERE payment_hash = $1 AND state = 'paid'`, [invoice.paymentHash])).rowCount === 1,
        );
      } else if (way === 1) {
        const must = had(books.msat, from) >= msat;
        expect(await person(from).pay(invoice.paymentRequest as string)).toMatchObject({ status: must ? 'SUCCESS' : 'FAILURE' });
        if (!must) return;
        add(books.msat, from, -msat);
      } else {
        const must = had(books.cents, from) >= BigInt(cents);
        expect(await payFromDollars(app, person(from), invoice.paymentRequest as string)).toMatchObject({
          status: must ? 'SUCCESS' : 'FAILURE',
        });
        if (!must) return;
        add(books.cents, from, -BigInt(cents));
        return add(books.cents, to, BigInt(cents));
      }
      add(books.cents, to, BigInt(cents));
      books.exchange(msat, -BigInt(cents), pinned);
    },
    async () => {
      const [from, sats, end] = [pick(PEOPLE), 1 + pick(50_000), pick(4)];
      const [msat, pinned, pinnedAsk] = [BigInt(sats) * 1_000n, price, ask()];
      const routeFeeMsat = BigInt(pick(10_000));
      const up = (amount: bigint): bigint => (amount * pinnedAsk + BTC - 1n) / BTC;
      const outside = await fixture.outside(sats, {
        routeFeeMsat,
        ...(end === 0 && { fail: 'no_route' as const }),
        ...(end > 1 && { hold: true }),
      });
      const covered = had(books.cents, from) >= up(msat + limitOf(msat));
      const answer = await payFromDollars(end > 1 ? hasty : app, person(from), outside.paymentRequest);
      expect(answer).toMatchObject({ status: !covered || end === 0 ? 'FAILURE' : end === 1 ? 'SUCCESS' : 'PENDING' });
      if (covered && end > 1) {
        await move();
        await fixture.release(outside.paymentHash, end === 2 ? 'rejected' : undefined);
        await eventually(
          async () =>
            (await app.pool.query(`SELECT FROM payment WHERE payment_hash = $1 AND state <> 'in_flight'`, [outside.paymentHash]))
              .rowCount === 1,
        );
      }
      if (!covered || end === 0 || end === 2) return;
      const charged = up(msat + routeFeeMsat);
      add(books.cents, from, -charged);
      books.exchange(-msat - routeFeeMsat, charged, pinned);
    },
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

  beforeAll(async () => {
    const env = { RECONCILE_AFTER_SECONDS: '0', RECONCILE_INTERVAL_SECONDS: '1' };
    app = await createDollarApp({ env });
    hasty = await createDollarApp({ beside: app, env: { ...env, PAYMENT_WAIT_SECONDS: '1' } });
    fixture = new Fixture(app);
    people = await Promise.all(Array.from({ length: PEOPLE }, () => fixture.user({ sats: SATS })));
  });
  afterAll(async () => {
    await hasty.close();
    await app.close();
  });

  it('are to the cent what a model says, no wallet is below zero, and no exchange costs the dealer at its price', async () => {
    for (let index = 0; index < STEPS; index++) {
      await steps[pick(steps.length)]?.();
      await compare();
    }
    expect(books.gains.length).toBeGreaterThan(STEPS / 10);
    expect(books.gains.filter((gain) => gain < 0n)).toEqual([]);
    expect(books.dealerCents).toBe(-books.cents.reduce((sum, cents) => sum + cents, 0n));
    expect(await violationsAtRest(app.pool)).toEqual({});
    await fixture.expectBalanced();
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
