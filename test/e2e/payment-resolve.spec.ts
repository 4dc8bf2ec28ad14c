import { parserOf } from '../../src/cli/command-line.js';
import { paymentCommands } from '../../src/cli/payment.command.js';
import { LightningBackend, type Faults } from '../../src/lightning/index.js';
import { PaymentReconciler } from '../../src/payment/payment.reconciler.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

const UNKNOWN_PAYMENT = '00000000-0000-4000-8000-000000000000';

describe('sluice payment', () => {
  let app: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0', RECONCILE_INTERVAL_SECONDS: '1' } });
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
  });
  beforeEach(async () => {
    alice = await fixture.user({ sats: 1_000 });
  });
  afterEach(async () => expect(await app.audit()).toEqual([]));
  afterAll(() => app.close());

  /** The output of the command; throws its refusal. */
  const sluice = async (...argv: string[]): Promise<string> => {
    const lines: string[] = [];
    const parser = parserOf(paymentCommands, 'sluice', '', (command, args) =>
      command.run(app.sluice.app, args, (line) => lines.push(line)),
    );
    await parser.parseAsync(argv, { from: 'user' });
    return lines.join('\n');
  };
  /** A payment that the node had and does not know any more: it stays in flight until the operator resolves it. */
  const stuck = async (
    faults: Faults = { hold: true },
  ): Promise<{ id: string; paymentHash: string; preimage: string; paymentRequest: string }> => {
    const outside = await fixture.outside(100, { routeFeeMsat: 2_000n, ...faults });
    const { status, transaction } = await alice.pay(outside.paymentRequest);
    expect(status).toBe('PENDING');
    await fixture.simulator.setForgotten(outside.paymentHash, true);
    return { ...outside, id: transaction.id as string };
  };
  const actions = async (id: string): Promise<unknown[]> =>
    (await app.pool.query('SELECT who, action, because, details FROM operator_action WHERE subject = $1', [id])).rows;

  it('lists payments in flight, by age, and shows one', async () => {
    const { id, paymentHash } = await stuck();
    expect(await sluice('payment', 'list', '--state', 'in_flight')).toContain(id);
    expect(await sluice('payment', 'list', '--state', 'in_flight', '--older-than', '1h')).not.toContain(id);
    await timeTravel.payment(paymentHash, 3_700);
    const [listed] = JSON.parse(await sluice('payment', 'list', '--older-than', '1h', '--json')) as { id: string; amountMsat: string }[];
    expect(listed).toMatchObject({ id, state: 'in_flight', amountMsat: '100000', paymentHash });
    expect(await sluice('payment', 'show', id)).toContain(`paymentHash: ${paymentHash}`);
    expect(JSON.parse(await sluice('payment', 'show', id, '--json'))).toMatchObject({ id, state: 'in_flight', actions: [] });
  });

  it('settles one by its preimage, and by no other', async () => {
    const { id, paymentHash, preimage } = await stuck();
    await expect(sluice('payment', 'resolve', id, '--settled', 'ab'.repeat(32))).rejects.toThrow('does not match the payment hash');
    await expect(sluice('payment', 'resolve', id, '--settled', 'no preimage')).rejects.toThrow('does not match the payment hash');
    expect(await alice.sats()).toBe(890);
    expect(await actions(id)).toEqual([]);
    expect(await sluice('payment', 'resolve', id, '--settled', preimage.toUpperCase(), '--fee-msat', '2000')).toBe(`${id} settled`);
    await eventually(async () => (await alice.sats()) === 898);
    expect(await actions(id)).toEqual([
      {
        who: expect.stringMatching(/./) as string,
        action: 'payment resolve',
        because: 'its preimage is known',
        details: { state: 'settled', code: 'finished', feeMsat: '2000', lossMsat: '0', preimage },
      },
    ]);
    await expect(sluice('payment', 'resolve', id, '--failed', '--because', 'a mistake')).rejects.toThrow('has already ended');
    expect(await actions(id)).toHaveLength(1);
    // The node knows the payment again and reports the same end.
    await fixture.simulator.setForgotten(paymentHash, false);
    await fixture.release(paymentHash);
    await fixture.expectBalanced();
  });

  it('fails one with a reason, not while the node may still answer, and a later settlement is booked as a loss', async () => {
    const { id, paymentHash } = await stuck();
    await expect(sluice('payment', 'resolve', id, '--failed', '--because', 'too early')).rejects.toThrow('may still answer');
    await timeTravel.payment(paymentHash, 60);
    await sluice('payment', 'resolve', id, '--failed', '--because', 'the channel was closed without it', '--json');
    await eventually(async () => (await alice.sats()) === 1_000);
    expect(await sluice('payment', 'show', id)).toMatch(/failure: operator[^]*payment resolve: the channel was closed without it$/);
    await fixture.simulator.setForgotten(paymentHash, false);
    await fixture.release(paymentHash);
    await eventually(async () => (await sluice('payment', 'show', id)).includes('state: settled'));
    expect(app.logs.some((line) => line.includes(`Payment ${id}: settled by the node after its money was released; 102000 msat`))).toBe(
      true,
    );
    expect(await alice.sats()).toBe(1_000);
    await fixture.expectBalanced();
  });

  it('refuses payments that it cannot end, and arguments that it cannot parse', async () => {
    const bob = await fixture.user();
    const inside = await alice.pay((await bob.invoice(10)).paymentRequest);
    await expect(sluice('payment', 'resolve', inside.transaction.id as string, '--failed', '--because', 'x')).rejects.toThrow(
      'internal payment',
    );
    await expect(sluice('payment', 'show', UNKNOWN_PAYMENT)).rejects.toThrow('No payment with this id');
    await expect(sluice('payment', 'resolve', UNKNOWN_PAYMENT, '--failed', '--because', 'x')).rejects.toThrow('No payment with this id');
    for (const [line, sentence] of [
      [['show', 'none'], 'must be a UUID'],
      [['list', '--state', 'lost'], '--state must be one of'],
      [['list', '--older-than', 'long'], '--older-than must be a time'],
      [['resolve', UNKNOWN_PAYMENT], 'either --settled <preimage> or --failed'],
      [['resolve', UNKNOWN_PAYMENT, '--failed'], '--failed needs --because'],
      [['resolve', UNKNOWN_PAYMENT, '--failed', '--settled', 'ab'], 'either --settled <preimage> or --failed'],
      [['resolve', UNKNOWN_PAYMENT, '--failed', '--because', 'x', '--fee-msat', '1'], '--fee-msat must be'],
    ] as const)
      await expect(sluice('payment', ...line)).rejects.toThrow(sentence);
  });

  it('records the operators’ actions, which cannot be changed or deleted', async () => {
    for (const sql of ['UPDATE operator_action SET because = $$nothing$$', 'DELETE FROM operator_action', 'TRUNCATE operator_action'])
      await expect(app.pool.query(sql)).rejects.toThrow('operator_action is append-only');
  });

  it('stops a later dispatch', async () => {
    const { transaction } = await alice.pay((await fixture.outside(50, { lost: true })).paymentRequest);
    const pay = jest.spyOn(app.get(LightningBackend), 'pay');
    await app.pool.query(`UPDATE payment SET created_at = created_at - interval '1 minute' WHERE id = $1`, [transaction.id]);
    await sluice('payment', 'resolve', transaction.id as string, '--failed', '--because', 'it never arrived');
    const { rows } = await app.pool.query('SELECT payment_dispatch(ARRAY[ROW($1, gen_random_uuid())::payment_claim], false) AS codes', [
      transaction.id,
    ]);
    expect(rows).toEqual([{ codes: ['refused'] }]);
    await app.get(PaymentReconciler).reconcile(new AbortController().signal);
    expect(pay).not.toHaveBeenCalled();
    pay.mockRestore();
  });
});
