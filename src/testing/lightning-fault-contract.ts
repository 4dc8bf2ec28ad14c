import type { LightningBackend, PaymentStatus } from '../money/lightning/index.js';
import { eventually } from './eventually.js';
import { collect, newPreimage, paymentOf, SATS, type ContractTest } from './lightning-backend-fixture.js';

/** A client library that queues calls delivers them in this time after it has connected again. */
const QUEUED_MS = 1_000;

const KNOWN = { status: 'not_sent', isKnown: true };

const statusOf = async (backend: LightningBackend, paymentHash: string): Promise<PaymentStatus['status']> =>
  (await backend.lookupPayment(paymentHash)).status;
const becomes = (backend: LightningBackend, paymentHash: string, status: PaymentStatus['status']): Promise<unknown> =>
  eventually(async () => (await statusOf(backend, paymentHash)) === status);

/** What a back end answers when the node, the route or the connection is at fault: money is lost where one of these answers is wrong. */
export function faultContract(it: ContractTest): void {
  it('without a connection: every answer is unknown, no call rejects, and a payment is not sent later', async (fixture, backend) => {
    const paid = paymentOf(await fixture.invoiceOfOther(10n * SATS));
    expect(await backend.pay(paid)).toMatchObject({ status: 'settled' });
    const request = { ...paymentOf(await fixture.invoiceOfOther(10n * SATS)), timeoutSeconds: 1 };
    const invoice = { amountMsat: SATS, description: '', expirySeconds: 600, preimage: newPreimage() };
    await fixture.disconnect();
    try {
      expect(await backend.lookupPayment(paid.paymentHash)).toEqual({ status: 'unknown' });
      expect(await backend.lookupInvoice(paid.paymentHash)).toEqual({ status: 'unknown' });
      expect(['unknown', 'unsupported']).toContain(await backend.cancelInvoice(paid.paymentHash));
      expect(await backend.createInvoice(invoice)).toEqual({ status: 'unknown' });
      expect(await backend.info()).toEqual({ status: 'unknown' });
      expect(['unknown', 'unsupported']).toContain(await backend.latestPaymentIndex());
      for (const answer of [backend.probeFee(request), backend.listPayments(0n, 1), backend.channelBalance()])
        expect(['unknown', 'unsupported']).toContain((await answer).status);
      expect(await collect(backend.invoiceSettlements(0n, AbortSignal.timeout(5_000)))).toEqual([]);
      expect(await collect(backend.paymentOutcomes(AbortSignal.timeout(5_000)))).toEqual([]);
      expect(['not_sent', 'unknown']).toContain((await backend.pay(request)).status);
    } finally {
      await fixture.reconnect();
    }
    await new Promise((resolve) => setTimeout(resolve, QUEUED_MS));
    expect(await statusOf(backend, request.paymentHash)).toBe('not_found');
    expect(await statusOf(backend, paid.paymentHash)).toBe('settled');
    expect(await backend.pay({ ...request, timeoutSeconds: 20 })).toMatchObject({ status: 'settled' });
  });

  it('in flight longer than the caller waits: unknown to the caller, in flight to a look-up, and sent once', async (fixture, backend) => {
    const held = await fixture.hold(10n * SATS);
    let isSaid = false;
    const onInFlight = (): void => void (isSaid = true);
    const request = { ...paymentOf(held.paymentRequest), timeoutSeconds: 2 };
    expect(await backend.pay({ ...request, onInFlight })).toEqual({ status: 'unknown' });
    expect(isSaid).toBe(true);
    expect(await statusOf(backend, request.paymentHash)).toBe('in_flight');
    expect([{ status: 'unknown' }, KNOWN]).toContainEqual(await backend.pay(request));
    await held.settle();
    await becomes(backend, request.paymentHash, 'settled');
    expect([await backend.lookupPayment(request.paymentHash), { status: 'unknown' }, KNOWN]).toContainEqual(await backend.pay(request));
  });

  it('failed after the caller has left: failed to a look-up', async (fixture, backend) => {
    const held = await fixture.hold(10n * SATS);
    const request = { ...paymentOf(held.paymentRequest), timeoutSeconds: 2 };
    expect(await backend.pay(request)).toEqual({ status: 'unknown' });
    await becomes(backend, request.paymentHash, 'in_flight');
    await held.fail();
    await becomes(backend, request.paymentHash, 'failed');
  });

  it('cut off in the middle of a payment: unknown to the caller, and in flight as soon as the node answers again', async (fixture, backend) => {
    const held = await fixture.hold(10n * SATS);
    const request = { ...paymentOf(held.paymentRequest), timeoutSeconds: 5 };
    const outcome = backend.pay(request);
    await becomes(backend, request.paymentHash, 'in_flight');
    await fixture.disconnect();
    try {
      expect(await outcome).toEqual({ status: 'unknown' });
      expect(await statusOf(backend, request.paymentHash)).toBe('unknown');
    } finally {
      await fixture.reconnect();
    }
    expect(await statusOf(backend, request.paymentHash)).toBe('in_flight');
    await held.settle();
    await becomes(backend, request.paymentHash, 'settled');
  });

  it('delivery_proof: what is late is not sent, and the end of a connection is reported', async (fixture, backend) => {
    const held = await fixture.hold(10n * SATS);
    let [isLate, isDisconnected] = [false, false];
    const request = { ...paymentOf(held.paymentRequest), timeoutSeconds: 1, isLate: () => isLate };
    if (!backend.capabilities.has('delivery_proof'))
      return expect(await backend.lookupPaymentAnew(request.paymentHash)).toEqual({ status: 'unknown' });
    const late = backend.pay(request);
    isLate = true;
    expect(await late).toEqual({ status: 'not_sent' });
    expect(await backend.lookupPaymentAnew(request.paymentHash)).toEqual({ status: 'not_found' });
    isLate = false;
    expect(await backend.pay({ ...request, onDisconnected: () => (isDisconnected = true) })).toEqual({ status: 'unknown' });
    expect(isDisconnected).toBe(false);
    await fixture.disconnect();
    try {
      await eventually(() => isDisconnected);
      expect(await backend.lookupPaymentAnew(request.paymentHash)).toEqual({ status: 'unknown' });
    } finally {
      await fixture.reconnect();
    }
    expect(await backend.lookupPaymentAnew(request.paymentHash)).toEqual({ status: 'in_flight' });
    await held.settle();
    await becomes(backend, request.paymentHash, 'settled');
  });

  it('a route that costs more than the limit: no route, and nothing is paid', async (fixture, backend) => {
    const { paymentRequest, feeMsat } = await fixture.expensiveInvoice(100n * SATS);
    const request = { ...paymentOf(paymentRequest), feeLimitMsat: feeMsat - 1n };
    expect(await backend.pay(request)).toEqual({ status: 'failed', reason: 'no_route' });
    expect(await backend.pay({ ...request, feeLimitMsat: feeMsat })).toMatchObject({ status: 'settled', feeMsat });
  });
}
