import { newPreimage, paymentOf, SATS, type LightningBackendFixture } from './lightning-backend-fixture.js';

/** The port's contract for the capability `fee_probe`. */
export function probeContract(fixture: () => LightningBackendFixture): void {
  it('say what the cheapest route costs, and send nothing', async () => {
    const { backend } = fixture();
    const { paymentRequest, feeMsat } = await fixture().expensiveInvoice(100n * SATS);
    const request = { ...paymentOf(paymentRequest), feeLimitMsat: feeMsat };
    if (!backend.capabilities.has('fee_probe')) return expect(await backend.probeFee(request)).toEqual({ status: 'unsupported' });
    const index = await backend.latestPaymentIndex();
    expect(await backend.probeFee(request)).toEqual({ status: 'known', feeMsat });
    expect(await backend.probeFee({ ...request, feeLimitMsat: feeMsat * 2n })).toEqual({ status: 'known', feeMsat });
    expect(await backend.lookupPayment(request.paymentHash)).toEqual({ status: 'not_found' });
    expect(await backend.latestPaymentIndex()).toBe(index);
    expect(await backend.pay(request)).toMatchObject({ status: 'settled', feeMsat });
  });

  it('find no route that costs more than the limit, none that leads nowhere, and none for another amount', async () => {
    const { backend } = fixture();
    if (!backend.capabilities.has('fee_probe')) return expect(await backend.probeFee(unpayable)).toEqual({ status: 'unsupported' });
    const { paymentRequest, feeMsat } = await fixture().expensiveInvoice(100n * SATS);
    const request = paymentOf(paymentRequest);
    const outOfReach = paymentOf(await fixture().invoiceOutOfReach(100n * SATS));
    const wrong = [
      { ...request, feeLimitMsat: feeMsat - 1n },
      outOfReach,
      { ...request, amountMsat: 101n * SATS },
      { ...request, amountMsat: 0n },
      unpayable,
    ];
    for (const probed of wrong) expect(await backend.probeFee(probed)).toEqual({ status: 'no_route' });
  });

  it('take the amount from the caller when the invoice leaves it open', async () => {
    const { backend } = fixture();
    if (!backend.capabilities.has('fee_probe')) return expect(await backend.probeFee(unpayable)).toEqual({ status: 'unsupported' });
    const request = paymentOf(await fixture().invoiceOfOther(null), 42n * SATS);
    const probed = await backend.probeFee(request);
    expect(probed).toEqual({ status: 'known', feeMsat: expect.any(BigInt) as bigint });
  });
}

/** Text that is no invoice. */
const unpayable = { paymentRequest: `lnbcrt1${newPreimage()}`, amountMsat: SATS, feeLimitMsat: SATS };
