import { Events } from '../../src/platform/events/index.js';
import { LightningRail } from '../../src/money/payment/rails/lightning.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

let app: TestApp;
let fixture: Fixture;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '3', RECONCILE_AFTER_SECONDS: '0' } });
  fixture = new Fixture(app);
  alice = await fixture.user({ sats: 1_000 });
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

/** This process is not notified of the end of payments, as if others booked it and their events were delayed. */
function deaf(): () => void {
  const [events, rail] = [app.get(Events), app.get(LightningRail)];
  const [on, send] = [events.on.bind(events), rail.send.bind(rail)];
  events.on = (topic: never, ...rest: [never]) => (topic === 'transaction.changed' ? () => undefined : on(topic, ...rest));
  rail.send = async (...payment) => void (await send(...payment));
  return () => {
    events.on = on;
    rail.send = send;
  };
}

describe('a payment’s end whose event is delayed', () => {
  it.each([
    ['that was paid is SUCCESS', {}, { status: 'SUCCESS', errors: [] }],
    ['that failed is FAILURE, with its reason', { fail: 'no_route' }, { status: 'FAILURE', errors: [{ code: 'ROUTE_FINDING_ERROR' }] }],
    ['that has not ended is PENDING', { hold: true }, { status: 'PENDING', errors: [] }],
  ] as const)('is looked up before the answer: a payment %s', async (_what, faults, expected) => {
    const { paymentRequest, paymentHash } = await fixture.outside(100, faults);
    const hear = deaf();
    try {
      expect(await alice.pay(paymentRequest)).toMatchObject(expected);
    } finally {
      hear();
    }
    if ('hold' in faults) await fixture.release(paymentHash);
  });
});
