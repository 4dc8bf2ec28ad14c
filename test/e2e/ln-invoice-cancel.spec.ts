import { InvoiceCancelJob } from '../../src/money/payment/rails/invoice-cancel.job.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success errors { message code path } } }`;
const STATUS = `query ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status paymentPreimage } }`;

describe('lnInvoiceCancel', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 10_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const cancel = async (
    paymentHash: string,
    { by = alice, walletId = by.wallets.BTC }: { by?: Person; walletId?: string } = {},
  ): Promise<unknown> => (await dataOf(app.url, CANCEL, { input: { walletId, paymentHash } }, by.as('receive'))).lnInvoiceCancel;
  const statusOf = async (paymentHash: string): Promise<unknown> =>
    (await dataOf(app.url, STATUS, { input: { paymentHash } })).lnInvoicePaymentStatusByHash;
  const stateAtNode = async (paymentHash: string): Promise<unknown> =>
    (await app.pool.query('SELECT state FROM simulator.invoice WHERE payment_hash = $1', [paymentHash])).rows[0]?.state;
  const refusal = (message: string, code: string, path: readonly string[] | null): object => ({
    success: false,
    errors: [{ message, code, path }],
  });
  const DONE = { success: true, errors: [] };
  const PAID = refusal('The invoice is already paid or being paid', 'INVALID_INPUT', ['input', 'paymentHash']);
  const UNKNOWN = refusal('Invoice not found in this wallet', 'NOT_FOUND', ['input', 'paymentHash']);

  it('cancels an invoice', async () => {
    const { paymentHash } = await alice.invoice(100);
    expect(await cancel(paymentHash)).toEqual(DONE);
    expect(await statusOf(paymentHash)).toEqual({ status: 'EXPIRED', paymentPreimage: null });
  });

  it('prevents payment of the invoice, inside and outside', async () => {
    const { paymentHash, paymentRequest } = await alice.invoice(100);
    await cancel(paymentHash);
    expect(await bob.pay(paymentRequest)).toMatchObject({
      status: 'FAILURE',
      transaction: null,
      errors: [{ code: 'LIGHTNING_PAYMENT_ERROR', message: 'The invoice was cancelled' }],
    });
    expect(await fixture.simulator.payOutside(paymentRequest)).toEqual({ status: 'cancelled' });
    expect(await alice.sats()).toBe(0);
  });

  it('can be repeated, accepts a hash in capitals, and cancels an expired invoice', async () => {
    const { paymentHash } = await alice.invoice(100);
    expect(await cancel(paymentHash.toUpperCase(), { walletId: alice.wallets.BTC.toUpperCase() })).toEqual(DONE);
    expect(await cancel(paymentHash)).toEqual(DONE);
    const late = await alice.invoice(100);
    await new TimeTravel(app).invoice(late.paymentHash, 86_400);
    expect(await cancel(late.paymentHash)).toEqual(DONE);
  });

  describe('of a node that is not connected any more', () => {
    /** An invoice whose node the operator has replaced with another one. */
    const moved = async (person: Person): Promise<{ paymentRequest: string; paymentHash: string }> => {
      const invoice = await person.invoice(100);
      await app.pool.query(`UPDATE invoice SET node_id = '02' || repeat('ab', 32) WHERE payment_hash = $1`, [invoice.paymentHash]);
      await app.pool.query('DELETE FROM simulator.invoice WHERE payment_hash = $1', [invoice.paymentHash]);
      return invoice;
    };

    it('is refused: only that node can prevent an outside payment', async () => {
      const { paymentHash } = await moved(alice);
      expect(await cancel(paymentHash)).toMatchObject({ success: false, errors: [{ code: 'LND_OFFLINE' }] });
      expect(await statusOf(paymentHash)).toMatchObject({ status: 'PENDING' });
    });

    it('does not run after an internal payment either, and the operator gets a log line', async () => {
      const carol = await fixture.user();
      const { paymentHash, paymentRequest } = await carol.invoice(100);
      await fixture.simulator.setAway(true);
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      await eventually(() => app.logs.some((line) => line.includes(paymentHash) && line.includes('invoice_cancel_unconfirmed')));
      await fixture.simulator.setAway(false);
    });

    it('is asked again after an internal payment, until it confirms', async () => {
      const carol = await fixture.user();
      const { paymentHash, paymentRequest } = await carol.invoice(100);
      const job = async (): Promise<{ attempts: number; by: string | null } | undefined> =>
        (await app.pool.query(`SELECT attempts, claim AS by FROM job WHERE task = 'invoice_cancel' AND key = $1`, [paymentHash])).rows[0];
      await fixture.simulator.setAway(true);
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      // The second attempt follows within seconds.
      await eventually(async () => {
        const { attempts = 0, by } = (await job()) ?? {};
        return attempts >= 1 && by === null;
      });
      expect(await stateAtNode(paymentHash)).toBe('open');
      await fixture.simulator.setAway(false);
      await app.pool.query('UPDATE job SET run_at = now() WHERE key = $1', [paymentHash]);
      await eventually(async () => (await job()) === undefined);
      expect(await stateAtNode(paymentHash)).toBe('cancelled');
    });

    it('is reported to the operator when the database did not store the job', async () => {
      const carol = await fixture.user();
      const { paymentHash, paymentRequest } = await carol.invoice(100);
      await app.pool.query(`
        CREATE FUNCTION refuse_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'restarting' USING ERRCODE = '57P01'; END $$;
        CREATE TRIGGER refuse_job BEFORE INSERT ON job FOR EACH ROW EXECUTE FUNCTION refuse_job()`);
      await fixture.simulator.setAway(true);
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      await eventually(() => app.logs.some((line) => line.includes(paymentHash) && line.includes('invoice_cancel_not_repeated')));
      await app.pool.query('DROP TRIGGER refuse_job ON job; DROP FUNCTION refuse_job');
      await fixture.simulator.setAway(false);
    });

    it('is asked again after a start: the process before may have ended between the payment and the cancellation', async () => {
      const carol = await fixture.user();
      const { paymentHash, paymentRequest } = await carol.invoice(100);
      const died = jest.spyOn(app.get(InvoiceCancelJob), 'cancel').mockResolvedValue();
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      await eventually(() => died.mock.calls.length === 1);
      died.mockRestore();
      expect(await stateAtNode(paymentHash)).toBe('open');
      const next = await createTestApp({ beside: app });
      await eventually(async () => (await stateAtNode(paymentHash)) === 'cancelled');
      await next.close();
    });

    it('succeeds if the invoice was cancelled before', async () => {
      const { paymentHash } = await alice.invoice(100);
      await cancel(paymentHash);
      await app.pool.query(`UPDATE invoice SET node_id = '02' || repeat('ab', 32) WHERE payment_hash = $1`, [paymentHash]);
      expect(await cancel(paymentHash)).toEqual(DONE);
    });
  });

  it('refuses an invoice that was paid, inside or outside', async () => {
    const carol = await fixture.user();
    const inside = await carol.invoice(100);
    await bob.pay(inside.paymentRequest);
    expect(await cancel(inside.paymentHash, { by: carol })).toEqual(PAID);
    const outside = await carol.invoice(100);
    await fixture.simulator.payOutside(outside.paymentRequest);
    expect(await cancel(outside.paymentHash, { by: carol })).toEqual(PAID);
    await eventually(async () => (await carol.sats()) === 200);
    expect(await statusOf(outside.paymentHash)).toMatchObject({ status: 'PAID' });
  });

  it('returns a payment in flight to its sender', async () => {
    const carol = await fixture.user();
    const { paymentHash, paymentRequest } = await carol.invoice(100);
    expect(await fixture.simulator.payOutside(paymentRequest, { faults: { hold: true } })).toMatchObject({ status: 'in_flight' });
    expect(await cancel(paymentHash, { by: carol })).toEqual(DONE);
    expect(await fixture.simulator.release(paymentHash)).toBe(false);
    expect(await carol.sats()).toBe(0);
  });

  it('reports ALREADY_PAID when an outside payer is faster, and the money is credited', async () => {
    const carol = await fixture.user();
    const { paymentHash, paymentRequest } = await carol.invoice(100);
    await fixture.simulator.payOutside(paymentRequest, { faults: { cancelRace: true } });
    expect(await cancel(paymentHash, { by: carol })).toEqual(PAID);
    await eventually(async () => (await carol.sats()) === 100);
    expect(await statusOf(paymentHash)).toMatchObject({ status: 'PAID' });
  });

  it('fails while the node is unavailable, and succeeds when repeated', async () => {
    const { paymentHash, paymentRequest } = await alice.invoice(100);
    await fixture.simulator.setAway(true);
    expect(await cancel(paymentHash)).toEqual(
      refusal('The Lightning node is unreachable, so the invoice can still be paid. Please try again.', 'LND_OFFLINE', null),
    );
    await fixture.simulator.setAway(false);
    expect(await cancel(paymentHash)).toEqual(DONE);
    expect(await fixture.simulator.payOutside(paymentRequest)).toEqual({ status: 'cancelled' });
  });

  it('races with an internal payer: the invoice is either paid or cancelled', async () => {
    for (let i = 0; i < 5; i++) {
      const carol = await fixture.user();
      const { paymentHash, paymentRequest } = await carol.invoice(10);
      const [cancelled, paid] = (await Promise.all([cancel(paymentHash, { by: carol }), bob.pay(paymentRequest)])) as [
        { success: boolean },
        { status: string },
      ];
      expect(paid.status).toBe(cancelled.success ? 'FAILURE' : 'SUCCESS');
      expect(await carol.sats()).toBe(cancelled.success ? 0 : 10);
    }
  });

  it('does not find an invoice of another wallet', async () => {
    const { paymentHash } = await alice.invoice(100);
    expect(await cancel(paymentHash, { walletId: alice.wallets.USD })).toEqual(UNKNOWN);
    expect(await cancel(paymentHash, { by: bob })).toEqual(UNKNOWN);
    expect(await cancel('ab'.repeat(32))).toEqual(UNKNOWN);
    for (const walletId of [bob.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f']) {
      expect(await cancel(paymentHash, { walletId })).toEqual(refusal('Wallet not found', 'NOT_FOUND', ['input', 'walletId']));
    }
    expect(await statusOf(paymentHash)).toEqual({ status: 'PENDING', paymentPreimage: null });
  });

  it.each([
    [{ walletId: 'x' }, 'Invalid value for WalletId', ['input', 'walletId']],
    [{ paymentHash: '0'.repeat(63) }, 'Invalid value for PaymentHash', ['input', 'paymentHash']],
  ])('refuses %j', async (input, message, path) => {
    const full = { walletId: alice.wallets.BTC, paymentHash: '0'.repeat(64), ...input };
    const { lnInvoiceCancel } = await dataOf(app.url, CANCEL, { input: full }, alice.as('receive'));
    expect(lnInvoiceCancel).toEqual({ success: null, errors: [{ message, code: 'INVALID_INPUT', path }] });
  });
});
