import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const SLOTS = 8;

/** All accounts share the slots for payments that the node has in flight: a payment may take as long as its recipient likes. */
describe('payments that their recipients hold', () => {
  let app: TestApp;
  let fixture: Fixture;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp({ settings: { LightningSettings: { paymentsInProgress: SLOTS } } });
    fixture = new Fixture(app);
    bob = await fixture.user({ sats: 1_000 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** Begins as many payments as there are slots; those that find no slot are refused, and their money is released. */
  async function hold(payer: Person): Promise<{ readonly refused: number; readonly end: () => Promise<void> }> {
    const invoices = await Promise.all(Array.from({ length: SLOTS }, () => fixture.outside(10, { hold: true, routeFeeMsat: 0n })));
    let refused = 0;
    const held = new Set(invoices);
    const paying = invoices.map(async (invoice) => {
      const { status } = await payer.pay(invoice.paymentRequest);
      if (status !== 'FAILURE') return;
      refused++;
      held.delete(invoice);
    });
    const sent = async (): Promise<number> => {
      const hashes = invoices.map(({ paymentHash }) => paymentHash);
      const { rows } = await app.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM simulator.payment WHERE payment_hash = ANY ($1)`,
        [hashes],
      );
      return rows[0]?.n ?? 0;
    };
    await eventually(async () => (await sent()) + refused === SLOTS);
    const end = async (): Promise<void> => {
      for (const { paymentHash } of held) await fixture.release(paymentHash);
      await Promise.all(paying);
    };
    return { refused, end };
  }

  it('of one account take half of the slots: payments of another account are sent', async () => {
    const alice = await fixture.user({ sats: 1_000 });
    const held = await hold(alice);
    const outcome = await bob.pay((await fixture.outside(10, { routeFeeMsat: 0n })).paymentRequest);
    await held.end();
    expect([held.refused, outcome]).toMatchObject([SLOTS / 2, { status: 'SUCCESS' }]);
    expect(await alice.sats()).toBe(1_000 - (SLOTS / 2) * 10);
  });

  it('of several accounts leave a slot too', async () => {
    const helds = [];
    for (const payer of await Promise.all([fixture.user({ sats: 1_000 }), fixture.user({ sats: 1_000 })])) helds.push(await hold(payer));
    const outcome = await bob.pay((await fixture.outside(10, { routeFeeMsat: 0n })).paymentRequest);
    for (const { end } of helds) await end();
    expect(outcome).toMatchObject({ status: 'SUCCESS' });
  });
});
