import { PaymentService, type Payer } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const REUSED = { kind: 'refused', reason: 'attempt_reused' };

describe('the name of a payment attempt', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
    bob = await fixture.user({ sats: 1_000 });
  });
  afterAll(() => app.close());

  const payerOf = ({ userId, wallets }: Person, attempt?: string): Payer => ({
    userId,
    walletId: wallets.BTC,
    principal: { kind: 'external', id: 'an extension', userId, scopes: new Set() },
    attempt,
  });
  const payments = (): PaymentService => app.get(PaymentService);

  it('is of one payment: another amount, recipient or wallet under it is refused, and nothing moves', async () => {
    const carol = await fixture.user();
    const first = await payments().sendIntraLedger(payerOf(alice, 'loyalty:1'), bob.wallets.BTC, 3);
    expect(first).toMatchObject({ kind: 'settled' });
    expect(await payments().sendIntraLedger(payerOf(alice, 'loyalty:1'), bob.wallets.BTC, 3)).toEqual(first);
    expect(await payments().sendIntraLedger(payerOf(alice, 'loyalty:1'), bob.wallets.BTC, 30)).toEqual(REUSED);
    expect(await payments().sendIntraLedger(payerOf(alice, 'loyalty:1'), carol.wallets.BTC, 3)).toEqual(REUSED);
    expect(await payments().sendIntraLedger(payerOf(bob, 'loyalty:1'), alice.wallets.BTC, 3)).toEqual(REUSED);
    const { paymentRequest } = await carol.invoice(3);
    expect(await payments().payInvoice(payerOf(alice, 'loyalty:1'), paymentRequest)).toEqual(REUSED);
    expect([await alice.sats(), await bob.sats(), await carol.sats()]).toEqual([997, 1_003, 0]);
    expect(await payments().findEarlier(payerOf(bob, 'loyalty:1'))).toBeUndefined();
  });

  it('is of one payment also for calls that come together', async () => {
    const [before, other] = [await alice.sats(), await bob.sats()];
    const outcomes = await Promise.all(
      [3, 4, 3, 4].map((sats) => payments().sendIntraLedger(payerOf(alice, 'loyalty:2'), bob.wallets.BTC, sats)),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'refused', 'settled', 'settled']);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toEqual([REUSED, REUSED]);
    expect((await alice.sats()) + (await bob.sats())).toBe(before + other);
  });

  it('is not empty, and amounts and wallets that cannot be are refused by a reason', async () => {
    await expect(payments().sendIntraLedger(payerOf(alice, ''), bob.wallets.BTC, 3)).rejects.toThrow(
      'The name of a payment attempt is empty',
    );
    for (const amount of [0, -1, 1.5, NaN, Infinity, 2 ** 60])
      expect(await payments().sendIntraLedger(payerOf(alice), bob.wallets.BTC, amount)).toEqual({
        kind: 'refused',
        reason: 'invalid_amount',
      });
    expect(await payments().sendIntraLedger(payerOf(alice), 'x', 3)).toEqual({ kind: 'refused', reason: 'unknown_recipient' });
    expect(await payments().sendIntraLedger({ ...payerOf(alice), walletId: 'x' }, bob.wallets.BTC, 3)).toEqual({
      kind: 'refused',
      reason: 'unknown_wallet',
    });
    await expect(payments().sendIntraLedger({ ...payerOf(alice), memo: 'a\0b' }, bob.wallets.BTC, 3)).rejects.toThrow('NUL');
  });
});
