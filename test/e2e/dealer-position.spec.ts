import { paymentCommands } from '../../src/operator/act/payment.command.js';
import { reconcileCommands } from '../../src/operator/act/reconcile.command.js';
import type { Arguments, Command } from '../../src/operator/command/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp, fundsOf, payFromDollars, personWithCents, PRICE, sendSats, setPrice } from '../support/dollars.js';
import { Fixture } from '../support/fixture.js';

describe('the dealer’s position', () => {
  let app: TestApp;
  let fixture: Fixture;

  beforeAll(async () => {
    app = await createDollarApp({ env: { DEALER_LIMIT_CENTS: '50000' } });
    fixture = new Fixture(app);
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    await setPrice(app, PRICE);
  });
  afterAll(() => app.close());

  const run = async (commands: readonly Command[], name: string, args: Partial<Arguments> = {}): Promise<string> => {
    const lines: string[] = [];
    const command = commands.find((each) => each.name === name);
    await command?.run(app.sluice.app, { positionals: [], options: {}, ...args }, (line) => void lines.push(line), 'sluice');
    return lines.join('\n');
  };
  const metric = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (.+)$`, 'm').exec(await app.get(Metrics).text())?.[1] ?? 'missing');

  it('is in the metrics and in the comparison, at the price of now', async () => {
    const carol = await fixture.user({ sats: 100_000 });
    await sendSats(app, carol, carol.wallets.USD, 100_000);
    expect(await metric('sluice_dealer_btc_msat')).toBe(100_000_000);
    expect(await metric('sluice_dealer_owed_cents')).toBe(4_950);
    expect(await metric('sluice_dealer_limit_cents')).toBe(50_000);
    // 100,000 satoshis are worth 5,000 cents: the spread is the dealer's.
    expect(await metric('sluice_dealer_result_cents')).toBe(50);
    const report = await run(reconcileCommands, 'reconcile');
    expect(report).toContain('Customers have 4950 US cents, and the dealer owes them 4950');
    expect(report).toContain('The dealer has 100000000 msat for them; at 5000000 cents a bitcoin, 50 cents more than it owes');
    expect(JSON.parse(await run(reconcileCommands, 'reconcile', { options: { json: true } }))).toMatchObject({
      dealer: { btcMsat: '100000000', usdCents: '-4950', customersCents: '4950', centsPerBtc: '5000000', resultCents: '50' },
      differenceMsat: '0',
    });
    await setPrice(app, PRICE / 2n);
    expect(await metric('sluice_dealer_result_cents')).toBe(2_500 - 4_950);
    await setPrice(app, undefined);
    expect(await metric('sluice_dealer_result_cents')).toBeNaN();
    expect(await run(reconcileCommands, 'reconcile')).toContain('there is no price now');
  });

  it('a payment from dollars is shown to the operator in cents, with its four legs', async () => {
    const carol = await personWithCents(fixture, 1_000);
    const { paymentRequest } = await fixture.outside(10_000, { routeFeeMsat: 0n });
    const { transaction } = await payFromDollars(app, carol, paymentRequest);
    const shown = await run(paymentCommands, 'payment show', { positionals: [transaction.id] });
    expect(shown).toMatch(/amountCents: 505\nheldCents: 508\ndealerCentsPerBtc: 5050000/);
    expect(shown).toMatch(/hold: 508 cents captured/);
    expect(shown).toMatch(/capture .*dealerUsd \+505 .*dealerBtc -10000000 .*lightning \+10000000/);
    expect(await run(paymentCommands, 'payment list', { options: { state: 'settled' } })).toMatch(/10000000 msat {2}for 505 cents/);
    expect(await fundsOf(app, carol)).toEqual({ sats: 0, cents: 495 });
  });
});
