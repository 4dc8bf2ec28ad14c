import { paymentHashOf } from '../platform/kernel/payment-hash.js';
import type { FinalPayment, NodePayment, PaymentIndex, SettledPayment } from '../money/lightning/index.js';
import { eventually } from './eventually.js';
import { collect, FEE_LIMIT_MSAT, newPreimage, paymentOf, SATS, type ContractTest } from './lightning-backend-fixture.js';

/** The port's contract for payments. */
export function paymentContract(it: ContractTest): void {
  it('settle with the preimage, for a fee within the limit', async (fixture, backend) => {
    const request = paymentOf(await fixture.invoiceOfOther(100n * SATS));
    const outcome = await backend.pay(request);
    expect(outcome).toMatchObject({ status: 'settled' });
    if (outcome.status !== 'settled') return;
    expect(paymentHashOf(outcome.preimage)).toBe(request.paymentHash);
    expect(outcome.feeMsat).toBeGreaterThanOrEqual(0n);
    expect(outcome.feeMsat).toBeLessThanOrEqual(FEE_LIMIT_MSAT);
    expect(await backend.lookupPayment(request.paymentHash)).toEqual(outcome);
  });

  it('take the amount from the caller when the invoice leaves it open', async (fixture) => {
    const request = paymentOf(await fixture.invoiceOfOther(null), 42n * SATS);
    expect(await fixture.backend.pay(request)).toMatchObject({ status: 'settled' });
  });

  it('pay the amount of the invoice, and no other', async (fixture, backend) => {
    const request = paymentOf(await fixture.invoiceOfOther(100n * SATS));
    for (const amountMsat of [99n * SATS, 101n * SATS, 0n]) {
      expect(await backend.pay({ ...request, amountMsat })).toEqual({ status: 'failed', reason: 'rejected' });
      expect(['failed', 'not_found']).toContain((await backend.lookupPayment(request.paymentHash)).status);
    }
    const open = paymentOf(await fixture.invoiceOfOther(null), 0n);
    expect(await backend.pay(open)).toEqual({ status: 'failed', reason: 'rejected' });
    expect(await backend.pay(request)).toMatchObject({ status: 'settled' });
  });

  it('are sent once, however often pay is called', async (fixture, backend) => {
    const request = paymentOf(await fixture.invoiceOfOther(100n * SATS));
    const outcomes = await Promise.all([backend.pay(request), backend.pay(request)]);
    const settled = await backend.lookupPayment(request.paymentHash);
    expect(settled).toMatchObject({ status: 'settled' });
    const known = { status: 'not_sent', isKnown: true };
    for (const outcome of [...outcomes, await backend.pay(request)])
      expect([settled, { status: 'unknown' }, known]).toContainEqual(outcome);
  });

  it('fail without a route, and can be retried', async (fixture, backend) => {
    const request = paymentOf(await fixture.invoiceOutOfReach(100n * SATS));
    for (const attempt of [1, 2]) {
      expect({ attempt, ...(await backend.pay(request)) }).toEqual({ attempt, status: 'failed', reason: 'no_route' });
      expect(['failed', 'not_found']).toContain((await backend.lookupPayment(request.paymentHash)).status);
    }
  });

  it('count: the index grows with every payment that the node begins, and never decreases', async (fixture, backend) => {
    const before = await backend.latestPaymentIndex();
    if (!backend.capabilities.has('payment_index')) return expect(before).toBe('unsupported');
    expect(before).toEqual(expect.any(BigInt));
    const indexes: PaymentIndex[] = [before];
    for (const invoice of [await fixture.invoiceOfOther(10n * SATS), await fixture.invoiceOutOfReach(10n * SATS)]) {
      const { status } = await backend.pay(paymentOf(invoice));
      const [last, now] = [indexes.at(-1) as bigint, await backend.latestPaymentIndex()];
      expect(now).toEqual(expect.any(BigInt));
      expect((now as bigint) - last).toBeGreaterThanOrEqual(status === 'settled' ? 1n : 0n);
      indexes.push(now);
    }
    expect(before).toBeGreaterThanOrEqual(0n);
  });

  it('are listed after an index, page by page, with their ends and in order', async (fixture, backend) => {
    if (!backend.capabilities.has('payment_list')) return expect(await backend.listPayments(0n, 1)).toEqual({ status: 'unsupported' });
    const before = (await backend.latestPaymentIndex()) as bigint;
    const paid: string[] = [];
    for (let n = 0; n < 3; n++) {
      const request = paymentOf(await fixture.invoiceOfOther(10n * SATS));
      expect(await backend.pay(request)).toMatchObject({ status: 'settled' });
      paid.push(request.paymentHash);
    }
    const listed: NodePayment[] = [];
    for (let after = before; ;) {
      const page = await backend.listPayments(after, 2);
      if (page.status !== 'known') throw new Error(`listPayments returned ${page.status}`);
      listed.push(...page.payments);
      after = page.payments.at(-1)?.index ?? after;
      if (page.payments.length < 2) break;
    }
    expect(listed.map(({ paymentHash }) => paymentHash)).toEqual(paid);
    for (const { state, amountMsat, feeMsat } of listed) {
      expect([state, amountMsat]).toEqual(['settled', 10n * SATS]);
      expect(feeMsat).toBeGreaterThanOrEqual(0n);
    }
    expect(listed.at(-1)?.index).toBe(await backend.latestPaymentIndex());
  });

  it('lower the balance of the channels by their amount and fee', async (fixture, backend) => {
    if (!backend.capabilities.has('channel_balance')) return expect(await backend.channelBalance()).toEqual({ status: 'unsupported' });
    const ownMsat = async (): Promise<bigint> => {
      const balance = await backend.channelBalance();
      if (balance.status !== 'known') throw new Error(`channelBalance returned ${balance.status}`);
      return balance.localMsat + balance.inFlightMsat;
    };
    const before = await ownMsat();
    const outcome = await backend.pay(paymentOf(await fixture.invoiceOfOther(10n * SATS)));
    if (outcome.status !== 'settled') throw new Error(`pay returned ${outcome.status}`);
    // The peers of a real node remove the payment from the channel a moment after its end.
    await eventually(async () => before - (await ownMsat()) === 10n * SATS + outcome.feeMsat);
  });

  it('are in flight only at a node that has them, and never at one to which they were not sent', async (fixture, backend) => {
    for (const invoice of [await fixture.invoiceOfOther(10n * SATS), await fixture.invoiceOutOfReach(10n * SATS)]) {
      let said = false;
      const request = { ...paymentOf(invoice), onInFlight: () => void (said = true) };
      const { status } = await backend.pay(request);
      const found = (await backend.lookupPayment(request.paymentHash)).status;
      if (said) expect([status, found]).not.toContain(status === 'not_sent' ? 'not_sent' : 'not_found');
      if (status === 'not_sent') expect(found).toBe('not_found');
    }
  });

  it('that were never sent are not found', async (fixture) => {
    expect(await fixture.backend.lookupPayment(newPreimage())).toEqual({ status: 'not_found' });
  });

  it('are reported on the stream when they end', async (fixture, backend) => {
    const listening = new AbortController();
    const outcomes = collect(backend.paymentOutcomes(listening.signal), listening, () => true);
    const paid: FinalPayment[] = [];
    // The test cannot see when the stream has started, so it pays several times until one outcome arrives.
    for (let tries = 0; tries < 50 && !listening.signal.aborted; tries++) {
      const request = paymentOf(await fixture.invoiceOfOther(10n * SATS));
      paid.push({ ...((await backend.pay(request)) as SettledPayment), paymentHash: request.paymentHash });
    }
    const [first] = await outcomes;
    expect(paid).toContainEqual(first);
  });
}

/** The port's contract for the capability `fee_probe`. */
export function probeContract(it: ContractTest): void {
  it('say what the cheapest route costs, and send nothing', async (fixture, backend) => {
    const { paymentRequest, feeMsat } = await fixture.expensiveInvoice(100n * SATS);
    const request = { ...paymentOf(paymentRequest), feeLimitMsat: feeMsat };
    if (!backend.capabilities.has('fee_probe')) return expect(await backend.probeFee(request)).toEqual({ status: 'unsupported' });
    const index = await backend.latestPaymentIndex();
    expect(await backend.probeFee(request)).toEqual({ status: 'known', feeMsat });
    expect(await backend.probeFee({ ...request, feeLimitMsat: feeMsat * 2n })).toEqual({ status: 'known', feeMsat });
    expect(await backend.lookupPayment(request.paymentHash)).toEqual({ status: 'not_found' });
    expect(await backend.latestPaymentIndex()).toBe(index);
    expect(await backend.pay(request)).toMatchObject({ status: 'settled', feeMsat });
  });

  it('find no route that costs more than the limit, none that leads nowhere, and none for another amount', async (fixture, backend) => {
    if (!backend.capabilities.has('fee_probe')) return expect(await backend.probeFee(unpayable)).toEqual({ status: 'unsupported' });
    const { paymentRequest, feeMsat } = await fixture.expensiveInvoice(100n * SATS);
    const request = paymentOf(paymentRequest);
    const outOfReach = paymentOf(await fixture.invoiceOutOfReach(100n * SATS));
    const wrong = [
      { ...request, feeLimitMsat: feeMsat - 1n },
      outOfReach,
      { ...request, amountMsat: 101n * SATS },
      { ...request, amountMsat: 0n },
      unpayable,
    ];
    for (const probed of wrong) expect(await backend.probeFee(probed)).toEqual({ status: 'no_route' });
  });

  it('take the amount from the caller when the invoice leaves it open', async (fixture, backend) => {
    if (!backend.capabilities.has('fee_probe')) return expect(await backend.probeFee(unpayable)).toEqual({ status: 'unsupported' });
    const request = paymentOf(await fixture.invoiceOfOther(null), 42n * SATS);
    const probed = await backend.probeFee(request);
    expect(probed).toEqual({ status: 'known', feeMsat: expect.any(BigInt) as bigint });
  });
}

/** Text that is no invoice. */
const unpayable = { paymentRequest: `lnbcrt1${newPreimage()}`, amountMsat: SATS, feeLimitMsat: SATS };
