import { parserOf } from '../../src/cli/command-line.js';
import { paymentCommands } from '../../src/operator/act/payment.command.js';
import { LightningBackend, type Faults } from '../../src/money/lightning/index.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

type Paid = { transaction: { id: string } };
const UNKNOWN_PAYMENT = '00000000-0000-4000-8000-000000000000';

describe('sluice payment', () => {
  let app: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0' } });
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
    // With a later payment the node's payment index does not go back, which would stop all sends.
    const [other, later] = [await fixture.user({ sats: 100 }), await fixture.outside(1)];
    await other.pay(later.paymentRequest);
    // Its caller waits for a second, and it may take longer.
    await eventually(
      async () =>
        (await app.pool.query(`SELECT FROM payment WHERE payment_hash = $1 AND state = 'settled'`, [later.paymentHash])).rowCount === 1,
    );
    await fixture.simulator.setForgotten(outside.paymentHash, true);
    return { ...outside, id: transaction.id as string };
  };
  type Shown = { state: string; seenInFlight: boolean; journals: unknown[] };
  const show = async (id: string): Promise<Shown> => JSON.parse(await sluice('payment', 'show', id, '--json')) as Shown;
  const actions = async (id: string): Promise<unknown[]> =>
    (await app.pool.query('SELECT who, action, because, details FROM operator_action WHERE subject = $1', [id])).rows;

  it('lists payments in flight, by age, and shows one', async () => {
    const { id, paymentHash } = await stuck();
    expect(await sluice('payment', 'list', '--state', 'in_flight')).toContain(id);
    expect(await sluice('payment', 'list', '--state', 'in_flight', '--older-than', '1h')).toBe('There are no such payments.');
    expect(await sluice('payment', 'list', '--older-than', '999999999d')).toBe('There are no such payments.');
    await timeTravel.payment(paymentHash, 3_700);
    const [listed] = JSON.parse(await sluice('payment', 'list', '--older-than', '1h', '--json')) as { id: string; amountMsat: string }[];
    expect(listed).toMatchObject({ id, state: 'in_flight', amountMsat: '100000', paymentHash });
    expect(await sluice('payment', 'show', id)).toContain(`paymentHash: ${paymentHash}`);
    expect(JSON.parse(await sluice('payment', 'show', id, '--json'))).toMatchObject({ id, state: 'in_flight', actions: [] });
  });

  it('lists those of an account, in pages', async () => {
    const ids: string[] = [];
    for (const sats of [1, 2, 3]) ids.unshift(((await alice.pay((await fixture.outside(sats)).paymentRequest)) as Paid).transaction.id);
    const list = async (...more: string[]): Promise<string[]> => {
      const rows = JSON.parse(await sluice('payment', 'list', '--account', alice.username, ...more, '--json')) as { id: string }[];
      return rows.map(({ id }) => id);
    };
    expect(await list()).toEqual(ids);
    expect(await list('--limit', '2')).toEqual(ids.slice(0, 2));
    expect(await list('--limit', '2', '--after', ids[1] ?? '')).toEqual(ids.slice(2));
    expect(await sluice('payment', 'list', '--account', alice.accountId, '--limit', '1')).toContain(`payment list --after ${ids[0]}`);
    expect(await list('--state', 'failed')).toEqual([]);
  });

  it('shows what node and ledger have on record, and what happens next', async () => {
    const outside = await fixture.outside(100, { routeFeeMsat: 2_000n, hold: true });
    const { transaction } = await alice.pay(outside.paymentRequest);
    const id = transaction.id as string;
    await eventually(async () => (await show(id)).seenInFlight);
    expect(await show(id)).toMatchObject({
      state: 'in_flight',
      node: { status: 'in_flight', isPreimageValid: null, isIndexUnbroken: true },
      hold: { amount: '110000', state: 'open' },
      journals: [{ op: 'hold', entries: [] }],
      otherAttempts: [],
      next: { step: 'wait', because: 'The node has it in flight, and reports when it ends' },
    });
    await fixture.release(outside.paymentHash);
    await eventually(async () => (await show(id)).state === 'settled');
    const ended = await show(id);
    expect(ended).toMatchObject({
      node: { status: 'settled', feeMsat: '2000', isPreimageValid: true },
      hold: { state: 'captured' },
      next: { step: 'none' },
    });
    expect(ended.journals.at(-1)).toMatchObject({
      op: 'capture',
      entries: expect.arrayContaining([
        { account: 'lightning', amount: '102000' },
        { account: expect.stringMatching(/^account \d+$/), amount: '-102000' },
      ]),
    });
    const text = await sluice('payment', 'show', id);
    expect(text).toMatch(/^node now: settled, fee 2000 msat, its preimage matches$/m);
    expect(text).toMatch(/^hold: 110000 msat captured since /m);
    expect(text).toMatch(/^journal \d+: capture .*lightning \+102000/m);
  });

  it('shows the other attempts of the same invoice', async () => {
    const outside = await fixture.outside(100, { fail: 'no_route' });
    const first = (await alice.pay(outside.paymentRequest)) as Paid;
    const bob = await fixture.user({ sats: 1_000 });
    const second = (await bob.pay(outside.paymentRequest)) as Paid;
    expect(await show(second.transaction.id)).toMatchObject({
      otherAttempts: [{ id: first.transaction.id, state: 'failed', failure: 'no_route' }],
    });
  });

  it('does not fail one that the node has in flight or settled', async () => {
    const outside = await fixture.outside(100, { hold: true });
    const id = ((await alice.pay(outside.paymentRequest)) as Paid).transaction.id;
    await timeTravel.payment(outside.paymentHash, 60);
    const fail = (...more: string[]): Promise<string> => sluice('payment', 'resolve', id, '--failed', '--because', 'a mistake', ...more);
    await expect(fail()).rejects.toThrow('The node has this payment in flight');
    await expect(fail('--node-is-gone')).rejects.toThrow('The node has this payment in flight');
    const wrong = { status: 'settled', preimage: 'ab'.repeat(32), feeMsat: 0n } as const;
    const lookup = jest.spyOn(app.get(LightningBackend), 'lookupPayment').mockResolvedValue(wrong);
    await expect(fail('--node-is-gone')).rejects.toThrow('The node has settled this payment');
    expect(await show(id)).toMatchObject({ node: { status: 'settled', isPreimageValid: false }, next: { step: 'operator' } });
    lookup.mockRestore();
    expect(await actions(id)).toEqual([]);
    expect(await alice.sats()).toBe(890);
    await fixture.release(outside.paymentHash);
    await eventually(async () => (await show(id)).state === 'settled');
    await fixture.expectBalanced();
  });

  it('fails one that the node keeps in flight only when the operator says that it was never sent', async () => {
    const outside = await fixture.outside(100, { hold: true });
    const id = ((await alice.pay(outside.paymentRequest)) as Paid).transaction.id;
    await timeTravel.payment(outside.paymentHash, 60);
    const fail = (...more: string[]): Promise<string> => sluice('payment', 'resolve', id, '--failed', '--because', 'no HTLC', ...more);
    await expect(fail()).rejects.toThrow('add --never-sent');
    expect(await fail('--never-sent')).toBe(`${id} failed`);
    expect(await actions(id)).toMatchObject([{ because: 'no HTLC', details: { node: 'in_flight', state: 'failed' } }]);
    expect(await alice.sats()).toBe(1_000);
    // The operator was wrong: the loss is the operator's, not the customer's.
    await fixture.release(outside.paymentHash);
    await eventually(async () => (await show(id)).state === 'settled');
    expect(await alice.sats()).toBe(1_000);
    await fixture.expectBalanced();
  });

  it('fails one of a silent node only when the operator says that it is gone, and the log has the answer of the node', async () => {
    const { id, paymentHash } = await stuck();
    await timeTravel.payment(paymentHash, 60);
    const lookup = jest.spyOn(app.get(LightningBackend), 'lookupPayment').mockResolvedValue({ status: 'unknown' });
    const fail = (...more: string[]): Promise<string> => sluice('payment', 'resolve', id, '--failed', '--because', 'it burned', ...more);
    await expect(fail()).rejects.toThrow('does not answer, so it may be paid');
    expect(await show(id)).toMatchObject({ node: { status: 'unknown' }, next: { step: 'wait' } });
    expect(await fail('--node-is-gone')).toBe(`${id} failed`);
    lookup.mockRestore();
    expect(await actions(id)).toMatchObject([{ because: 'it burned', details: { node: 'unknown', state: 'failed' } }]);
    await fixture.simulator.setForgotten(paymentHash, false);
    await fixture.release(paymentHash, 'no_route');
    expect(await alice.sats()).toBe(1_000);
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
        details: { state: 'settled', code: 'finished', feeMsat: '2000', lossMsat: '0', preimage, node: 'not_found' },
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
    await eventually(() =>
      app.logs.some((line) => line.includes(`Payment ${id}: settled by the node after its money was released; 102000 msat`)),
    );
    expect(await alice.sats()).toBe(1_000);
    await fixture.expectBalanced();
  });

  it('refuses payments that it cannot end, and arguments that it cannot parse', async () => {
    const bob = await fixture.user();
    const inside = await alice.pay((await bob.invoice(10)).paymentRequest);
    await expect(sluice('payment', 'resolve', inside.transaction.id as string, '--failed', '--because', 'x')).rejects.toThrow(
      'no Lightning payment',
    );
    await expect(sluice('payment', 'show', UNKNOWN_PAYMENT)).rejects.toThrow('No payment with this id');
    await expect(sluice('payment', 'resolve', UNKNOWN_PAYMENT, '--failed', '--because', 'x')).rejects.toThrow('No payment with this id');
    for (const [line, sentence] of [
      [['show', 'none'], 'must be a UUID'],
      [['list', '--state', 'lost'], '--state must be one of'],
      [['list', '--older-than', 'long'], '--older-than must be a time'],
      [['list', '--limit', '1001'], '--limit must be 1 to 1000'],
      [['list', '--after', 'x'], '--after must be the id of a payment'],
      [['resolve', UNKNOWN_PAYMENT, '--settled', 'ab', '--node-is-gone'], '--node-is-gone needs --failed'],
      [['resolve', UNKNOWN_PAYMENT, '--settled', 'ab', '--never-sent'], '--never-sent needs --failed'],
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
    const { rows } = await app.pool.query('SELECT payment_dispatch(ARRAY[ROW($1, gen_random_uuid())::payment_claim]) AS codes', [
      transaction.id,
    ]);
    expect(rows).toEqual([{ codes: ['refused'] }]);
    await app.get(PaymentReconciler).reconcile(new AbortController().signal);
    expect(pay).not.toHaveBeenCalled();
    pay.mockRestore();
  });
});
