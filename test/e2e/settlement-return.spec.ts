import { randomBytes } from 'node:crypto';
import { SettlementStore } from '../../src/money/invoice/index.js';
import { LightningNode, LightningBackend } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { UserService } from '../../src/access/user/index.js';
import { OperatorCommand } from '../support/operator-command.js';

let app: TestApp;
let fixture: Fixture;
let sluice: OperatorCommand;
beforeAll(async () => {
  // A payment that takes longer counts as in flight, and one of them is.
  app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '5', RECONCILE_AFTER_SECONDS: '0' } });
  [fixture, sluice] = [new Fixture(app), new OperatorCommand(app)];
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

const waiting = async (): Promise<string[]> => (await app.get(SettlementStore).listToReview(100)).map(({ paymentHash }) => paymentHash);
/** The hash of an invoice that the node has and Sluice does not, paid from outside. */
const unclaimed = async (sats: bigint): Promise<string> => {
  const request = { amountMsat: sats * 1_000n, expirySeconds: 600, preimage: randomBytes(32).toString('hex') };
  const made = await app.get(LightningNode).createInvoice(request);
  if (made.status !== 'created') throw new Error(`The invoice is ${made.status}`);
  await fixture.simulator.payOutside(made.paymentRequest);
  await eventually(async () => (await waiting()).includes(made.paymentHash));
  return made.paymentHash;
};

describe('a settlement of an unknown invoice', () => {
  let alice: Person;
  beforeAll(async () => {
    alice = await fixture.user();
  });

  const book = (hash: string, to: string): Promise<string> =>
    sluice.run('settlement', 'book', hash, '--to', to, '--because', 'the sender says so');

  it('is booked to its recipient once, shows in the history, and is in the log of operators', async () => {
    const hash = await unclaimed(70n);
    const before = await alice.sats();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => book(hash, alice.username)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await alice.sats()).toBe(before + 70);
    expect(await waiting()).not.toContain(hash);
    const { rows: history } = await app.pool.query('SELECT direction, status, amount::int FROM transaction WHERE payment_hash = $1', [
      hash,
    ]);
    expect(history).toEqual([{ direction: 'RECEIVE', status: 'SUCCESS', amount: 70_000 }]);
    const { rows: actions } = await app.pool.query('SELECT action, because, details FROM operator_action WHERE subject = $1', [hash]);
    expect(actions).toEqual([
      {
        action: 'settlement book',
        because: 'the sender says so',
        details: expect.objectContaining({ msat: '70000', account: alice.accountId }),
      },
    ]);
    await expect(book(hash, alice.username)).rejects.toThrow(/No unclaimed settlement has this payment hash, or it was booked before/);
  });

  it('goes to no account that there is not, and nothing is booked that is not unclaimed', async () => {
    const hash = await unclaimed(30n);
    await expect(book(hash, 'zelda')).rejects.toThrow('There is no user "zelda"');
    await expect(book(hash, '00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no account with this id');
    await expect(book('ab', alice.username)).rejects.toThrow(/payment hash must be 64 hexadecimal digits/);
    await expect(sluice.run('settlement', 'book', hash, '--to', alice.username, '--because', ' ')).rejects.toThrow(
      '--because must not be empty',
    );
    const invoice = await alice.invoice(5);
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await expect(book(invoice.paymentHash, alice.username)).rejects.toThrow(/No unclaimed settlement/);
    expect(await waiting()).toEqual([hash]);
  });
});

describe('sluice settlement return', () => {
  const UNKNOWN_HASH = 'ab'.repeat(32);

  let ann: Person;
  beforeEach(async () => {
    ann = await fixture.user();
    await app.get(UserService).makeOperator(ann.email);
  });

  const giveBack = (hash: string, invoice: string, from = ann): Promise<string> =>
    sluice.run('settlement', 'return', hash, '--invoice', invoice, '--from', from.username, '--because', 'the sender asked for it');
  const invoice = async (sats: number, faults = {}): Promise<string> =>
    (await fixture.outside(sats, { routeFeeMsat: 0n, ...faults })).paymentRequest;
  const actions = async (hash: string): Promise<unknown[]> =>
    (await app.pool.query('SELECT action, because FROM operator_action WHERE subject = $1 ORDER BY id', [hash])).rows;

  it('judges the expiry of the invoice by the time of the database, not by a wrong clock of the process', async () => {
    await fixture.fund(ann, 100);
    const [hash, request, now] = [await unclaimed(1_000n), await invoice(1_000), Date.now.bind(Date)];
    const wrong = jest.spyOn(Date, 'now').mockImplementation(() => now() + 86_400_000);
    await giveBack(hash, request).finally(() => wrong.mockRestore());
    expect(await waiting()).not.toContain(hash);
  });

  it('goes through the wallet of an operator, once, with a reason in the log and both rows in the history', async () => {
    await fixture.fund(ann, 100);
    const hash = await unclaimed(1_000n);
    const request = await invoice(1_000);
    const pay = jest.spyOn(app.get(LightningBackend), 'pay');
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => giveBack(hash, request)));
    expect(pay).toHaveBeenCalledTimes(1);
    pay.mockRestore();
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await ann.sats()).toBe(100);
    expect(await waiting()).not.toContain(hash);
    expect((await actions(hash))[0]).toEqual({ action: 'settlement return', because: 'the sender asked for it' });
    const { rows } = await app.pool.query('SELECT direction, amount::int FROM transaction WHERE account_id = $1 ORDER BY created_at, id', [
      ann.accountId,
    ]);
    expect(rows.slice(-2)).toEqual([
      { direction: 'RECEIVE', amount: 1_000_000 },
      { direction: 'SEND', amount: -1_000_000 },
    ]);
    await expect(giveBack(hash, await invoice(1_000))).rejects.toThrow('It was returned before');
    await expect(sluice.run('settlement', 'book', hash, '--to', ann.username, '--because', 'a mistake')).rejects.toThrow(
      /No unclaimed settlement/,
    );
  });

  it('pays one of several invoices at once', async () => {
    await fixture.fund(ann, 10_000);
    const hash = await unclaimed(500n);
    const requests = await Promise.all([invoice(500), invoice(500), invoice(499)]);
    const outcomes = await Promise.allSettled(requests.map((request) => giveBack(hash, request)));
    const paid = await app.pool.query(`SELECT amount_msat::int AS msat FROM payment WHERE account_id = $1`, [ann.accountId]);
    expect(paid.rows).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await ann.sats()).toBe(10_500 - Number((paid.rows[0] as { msat: number }).msat) / 1_000);
  });

  it('leaves the money in the wallet when the payment cannot begin or fails, and can be repeated', async () => {
    const hash = await unclaimed(1_000n);
    await expect(giveBack(hash, await invoice(1_000))).rejects.toThrow(
      'It was not paid (insufficient). The money is in the wallet of --from',
    );
    expect(await ann.sats()).toBe(1_000);
    await expect(giveBack(hash, await invoice(900, { fail: 'no_route' }))).rejects.toThrow('It was not paid (no_route)');
    expect(await ann.sats()).toBe(1_000);
    const ben = await fixture.user();
    await app.get(UserService).makeOperator(ben.email);
    await expect(giveBack(hash, await invoice(900), ben)).rejects.toThrow('to the wallet of another operator');
    expect(await giveBack(hash, await invoice(900))).toMatch(/^Returned: /);
    expect(await ann.sats()).toBe(100);
    expect(await actions(hash)).toHaveLength(3);
  });

  it('does not take a payment in flight for a failure', async () => {
    const hash = await unclaimed(1_000n);
    const outside = await fixture.outside(900, { routeFeeMsat: 0n, hold: true });
    await expect(giveBack(hash, outside.paymentRequest)).rejects.toThrow('The payment is in flight');
    await expect(giveBack(hash, await invoice(900))).rejects.toThrow('The payment that returns it is in flight');
    await fixture.release(outside.paymentHash);
    await eventually(async () => (await ann.sats()) === 100);
    await expect(giveBack(hash, await invoice(900))).rejects.toThrow('It was returned before');
  });

  it('refuses before any money moves', async () => {
    const hash = await unclaimed(50n);
    const customer = await fixture.user();
    await expect(giveBack(hash, await invoice(51))).rejects.toThrow('asks more than was received');
    await expect(giveBack(hash, 'lnbcrt1')).rejects.toThrow('cannot be read');
    await expect(giveBack(hash, await invoice(50), customer)).rejects.toThrow('is not that of an operator');
    await expect(giveBack(UNKNOWN_HASH, await invoice(50))).rejects.toThrow('No unclaimed settlement');
    await expect(giveBack('ab', await invoice(50))).rejects.toThrow('64 hexadecimal digits');
    const info = jest.spyOn(app.get(LightningBackend), 'info').mockResolvedValue({ status: 'unknown' });
    await expect(giveBack(hash, await invoice(50))).rejects.toThrow('The node does not answer');
    info.mockRestore();
    expect(await waiting()).toContain(hash);
    expect(await actions(hash)).toEqual([]);
    expect([await ann.sats(), await customer.sats()]).toEqual([0, 0]);
    await sluice.run('settlement', 'book', hash, '--to', customer.username, '--because', 'they asked');
    await expect(giveBack(hash, await invoice(50))).rejects.toThrow('was booked to its recipient before');
    expect(await customer.sats()).toBe(50);
  });
});
