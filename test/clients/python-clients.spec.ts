import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { itWithPython, runPythonClient } from '../support/other-clients.js';

/** Wallet classes of two programs in Python, as their packages have them. `node scripts/other-clients.js` installs them. */
describe('wallets in Python, as released', () => {
  let app: TestApp;
  let fixture: Fixture;
  let bob: Person;
  const NO_ROUTE = 'Unable to find a route for payment.';

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    bob = await fixture.user({ sats: 500 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const of = ({ keys, wallets }: Person): object => ({ apiKey: keys.all, walletId: wallets.BTC });
  /** What each program is given, with a payer of its own and new invoices of the outside world. */
  async function given(): Promise<object> {
    const alice = await fixture.user({ sats: 5_000 });
    const outside = await fixture.outside(1_000, { routeFeeMsat: 2_000n });
    const requestOf = async (sats: number, faults: object): Promise<string> => (await fixture.outside(sats, faults)).paymentRequest;
    return {
      url: `${app.url}/graphql`,
      alice: of(alice),
      bob: of(bob),
      outside: outside.paymentRequest,
      preimage: outside.preimage,
      unroutable: await requestOf(10, { fail: 'no_route' }),
      expensive: await requestOf(1_000, { routeFeeMsat: 4_000n }),
      unknown: await requestOf(10, {}),
    };
  }

  itWithPython('lnbits')('LNbits reads a balance, receives, hears of payments, probes, pays, and sees what failed', async () => {
    expect(await runPythonClient('lnbits', await given())).toEqual({
      balanceMsat: 5_000_000,
      invoice: [true, 'SUCCESS', true],
      openInvoice: null,
      hearsPayments: true,
      paid: [true, 2_000, true, true],
      failed: [false, NO_ROUTE],
      aboveFeeLimit: [false, 'fee of 4000 msat exceeds limit of 1000 msat'],
    });
  });

  itWithPython('nutshell')('nutshell receives, quotes, pays, and sees what is unknown and what failed', async () => {
    expect(await runPythonClient('nutshell', await given())).toEqual({
      balance: [null, 5_000],
      invoice: ['PENDING', 'SUCCESS', 'SETTLED'],
      quote: [1_000, 10],
      paid: ['SETTLED', 2, true, 'SETTLED'],
      unknown: 'UNKNOWN',
      failed: [10, 'FAILED', NO_ROUTE, 'FAILED'],
    });
  });
});
