import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { AccountLimitSettings, type LevelLimits } from '../../src/money/wallet/account-limit.settings.js';
import { satsToSend } from '../../src/dashboard/activity/amount.js';
import { Database } from '../../src/platform/database/index.js';
import { MSAT_PER_BTC, SATS_PER_BTC } from '../../src/platform/kernel/money.js';
import { dollars, moneyText } from '../../src/edge/page/index.js';
import { AccountLimitsService, type AccountLimitState } from '../../src/money/wallet/index.js';
import { createDollarApp } from '../support/dollars.js';
import type { TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();
const RUNS = 100;

/** A payment of the last day. */
interface Sent {
  readonly currency: 'BTC' | 'USD';
  /** msat or cents. */
  readonly amount: number;
  readonly at: Date;
}

/** In cents for one bitcoin; a satoshi is always less than a cent. */
const price = fc.bigInt(10_000n, SATS_PER_BTC - 1n);
const limitCents = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 10_000_000 }));
const at = fc.integer({ min: HOUR_MS, max: DAY_MS - HOUR_MS }).map((ago) => new Date(NOW - ago));
const msat = fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 2_000_000_000 }));
const sent: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({ currency: fc.constant('BTC' as const), amount: msat, at }),
  fc.record({ currency: fc.constant('USD' as const), amount: fc.integer({ min: 1, max: 100_000 }), at }),
);

/** What limits leave, for prices, limits and payments of every kind, beside what `payment_begin` passes. */
describe('what the limit of an account leaves', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createDollarApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const remember = (payments: readonly Sent[]): Promise<unknown> =>
    app.pool.query(
      `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, external_id_by_owner, initiation, settlement, counterparty_wallet_id, created_at, settled_at)
       SELECT gen_random_uuid(), $1, CASE p.currency WHEN 'BTC' THEN $2 ELSE $3 END::uuid, p.currency, 'SEND', 'SUCCESS', -p.amount, false, 'intraledger', 'intraledger', $4, p.at, p.at
         FROM unnest($5::text[], $6::bigint[], $7::timestamptz[]) AS p(currency, amount, at)`,
      [
        ...[alice.accountId, alice.wallets.BTC, alice.wallets.USD, bob.wallets.BTC],
        ...[payments.map(({ currency }) => currency), payments.map(({ amount }) => amount), payments.map(({ at }) => at.toISOString())],
      ],
    );
  const forget = (): Promise<unknown> => app.pool.query('DELETE FROM transaction WHERE account_id = $1', [alice.accountId]);

  /** The limit for sends to other accounts, with so much sent. */
  async function stateOf(payments: readonly Sent[], cents: number, centsPerBtc: bigint): Promise<AccountLimitState> {
    const limits: LevelLimits = { withdrawal: 0, internalSend: cents, convert: 0 };
    const byLevel = { ZERO: limits, ONE: limits, TWO: limits, THREE: limits };
    const settings = Object.create(app.get(AccountLimitSettings), { byLevel: { value: byLevel } }) as AccountLimitSettings;
    const service = new AccountLimitsService(app.get(Database), settings);
    await remember(payments);
    const state = (await service.list({ id: alice.accountId, level: 'ONE' }, centsPerBtc)).find(({ flow }) => flow === 'internal_send');
    if (!state) throw new Error('There is a limit for each flow');
    return state;
  }

  /** Begins a payment of a wallet that has enough, and takes it back. */
  async function begin(client: PoolClient, currency: 'BTC' | 'USD', amount: bigint, cents: number, centsPerBtc: bigint): Promise<unknown> {
    const amountMsat = currency === 'BTC' ? amount * 1_000n : (amount * MSAT_PER_BTC) / centsPerBtc;
    await client.query('BEGIN');
    try {
      await client.query(
        'UPDATE ledger_account SET posted = 10::numeric ^ 15 WHERE id IN (SELECT ledger_account_id FROM wallet WHERE id = $1)',
        [alice.wallets[currency]],
      );
      await client.query('DELETE FROM spending_bound WHERE owner = $1', [alice.accountId]);
      const { rows } = await client.query<{ result: string }>(
        `SELECT result FROM payment_begin_v2(ARRAY[ROW(gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, NULL, NULL, NULL, $4::bigint, 0, NULL, 'x', NULL, false)::payment_attempt],
                                             ARRAY[ROW($5::bigint, $7, $7)::dealer_order], NULL, NULL, 0, ARRAY[ROW('ONE', 'internal_send', $6::bigint)::account_limit], $7)`,
        [
          ...[alice.userId, alice.wallets[currency], bob.wallets[currency], String(amountMsat)],
          ...[currency === 'USD' ? String(amount) : null, cents, String(centsPerBtc)],
        ],
      );
      return rows[0]?.result;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  it('passes as it is stated in sats and in dollars, and not a satoshi or a cent more', async () => {
    const client = await app.pool.connect();
    const property = fc.asyncProperty(fc.array(sent, { maxLength: 4 }), limitCents, price, async (payments, cents, centsPerBtc) => {
      try {
        const { left } = await stateOf(payments, cents, centsPerBtc);
        const send = (sats: number): Promise<unknown> => begin(client, 'BTC', BigInt(sats), cents, centsPerBtc);
        const sendCents = (amount: number): Promise<unknown> => begin(client, 'USD', BigInt(amount), cents, centsPerBtc);
        if (left.sats > 0) expect(await send(left.sats)).toBe('settled');
        expect(await send(left.sats + 1)).toBe('internal_send_limit');
        if (left.cents > 0) expect(await sendCents(left.cents)).toBe('settled');
        expect(await sendCents(left.cents + 1)).toBe('internal_send_limit');
        const typed = { amount: moneyText(dollars(left.cents)).slice(1), unit: 'USD' } as const;
        if (left.cents > 0) expect(await send(Number(satsToSend(typed, centsPerBtc)))).toBe('settled');
      } finally {
        await forget();
      }
    });
    try {
      await fc.assert(property, { numRuns: RUNS });
    } finally {
      client.release();
    }
  });

  it('becomes more when a satoshi of it is free, with the price of now, and is whole when no payment counts', async () => {
    const property = fc.asyncProperty(
      fc.array(sent, { minLength: 1, maxLength: 6 }),
      limitCents,
      price,
      async (payments, cents, centsPerBtc) => {
        try {
          const { nextFreeAt, allFreeAt } = await stateOf(payments, cents, centsPerBtc);
          const worthOf = ({ currency, amount }: Sent): bigint => BigInt(amount) * (currency === 'BTC' ? centsPerBtc : MSAT_PER_BTC);
          const times = payments.map((each) => each.at.getTime()).sort((one, other) => one - other);
          const stillCounts = (time: number): bigint =>
            payments.filter((each) => each.at.getTime() > time).reduce((sum, each) => sum + worthOf(each), 0n);
          const next = times.find((time) => BigInt(cents) * MSAT_PER_BTC - stillCounts(time) >= 1_000n * centsPerBtc);
          const aDayAfter = (time: number | undefined): Date | null => (time === undefined ? null : new Date(time + DAY_MS));
          expect([nextFreeAt, allFreeAt]).toEqual([aDayAfter(next), aDayAfter(times.at(-1))]);
        } finally {
          await forget();
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
});
