import type { Bolt11Invoice, HoldInvoiceRequest, InvoiceState } from '../money/lightning/index.js';
import { eventually } from './eventually.js';
import {
  collect,
  invoiceOf,
  newPreimage,
  SATS,
  sha256,
  type ArrivingPayment,
  type LightningBackendFixture,
} from './lightning-backend-fixture.js';

interface Held {
  readonly preimage: string;
  readonly invoice: Bolt11Invoice;
}

/** The port's contract for the capability `hold_invoice`. */
export function holdContract(fixture: () => LightningBackendFixture): void {
  /** A back end without the capability has to say so instead. */
  const holds = (title: string, test: () => Promise<void>): void =>
    it(title, async () => {
      const { backend } = fixture();
      if (backend.capabilities.has('hold_invoice')) return test();
      expect(await backend.createHoldInvoice(aHoldInvoice(newPreimage()))).toEqual({ status: 'unsupported' });
      expect(await backend.settleHoldInvoice(newPreimage())).toBe('unsupported');
    });

  holds('are created for a payment hash, once', async () => {
    const { backend, network } = fixture();
    const { preimage, invoice } = await created(fixture(), { expirySeconds: 600, description: 'booking' });
    expect(invoice).toMatchObject({ network, amountMsat: 10n * SATS, description: 'booking', payeeNodeId: backend.nodeId });
    expect(invoice.paymentHash).toBe(sha256(preimage));
    expect(invoice.expiresAt.getTime() - invoice.createdAt.getTime()).toBe(600_000);
    expect(await backend.lookupInvoice(invoice.paymentHash)).toEqual({ status: 'open', paymentRequest: invoice.paymentRequest });
    expect(await backend.createHoldInvoice(aHoldInvoice(preimage))).toEqual({ status: 'refused', reason: 'duplicate' });
    for (const wrong of [{ paymentHash: 'ab' }, { amountMsat: 0n }, { expirySeconds: 0 }, { description: 'x'.repeat(640) }])
      expect(await backend.createHoldInvoice({ ...aHoldInvoice(newPreimage()), ...wrong })).toEqual({
        status: 'refused',
        reason: 'invalid',
      });
  });

  holds('keep a payment waiting until they are settled, and are then reported on the stream', async () => {
    const { backend } = fixture();
    const { preimage, invoice } = await created(fixture());
    const { paymentHash } = invoice;
    const payment = await arrived(fixture(), invoice);
    expect(await backend.lookupInvoice(paymentHash)).toEqual(acceptedState(invoice, 10n * SATS));
    expect(await backend.settleHoldInvoice(preimage)).toBe('settled');
    expect(await backend.settleHoldInvoice(preimage)).toBe('settled');
    const found = await backend.lookupInvoice(paymentHash);
    expect(found).toMatchObject({ status: 'settled', amountMsat: 10n * SATS });
    expect(await payment.ended()).toBe(true);
    expect(await backend.cancelInvoice(paymentHash)).toBe('settled');
    const listening = new AbortController();
    const stream = backend.invoiceSettlements(0n, listening.signal);
    const settlements = await collect(stream, listening, (settlement) => settlement.paymentHash === paymentHash);
    const settleIndex = found.status === 'settled' ? found.settleIndex : undefined;
    expect(settlements.at(-1)).toMatchObject({ paymentHash, settleIndex, amountMsat: 10n * SATS });
  });

  holds('give a payment back when they are cancelled, and are then not settled', async () => {
    const { backend } = fixture();
    const { preimage, invoice } = await created(fixture());
    const payment = await arrived(fixture(), invoice);
    expect(await backend.cancelInvoice(invoice.paymentHash)).toBe('cancelled');
    expect(await backend.cancelInvoice(invoice.paymentHash)).toBe('cancelled');
    expect(await backend.lookupInvoice(invoice.paymentHash)).toEqual({ status: 'cancelled' });
    expect(await payment.ended()).toBe(false);
    expect(await backend.settleHoldInvoice(preimage)).toBe('cancelled');
  });

  holds('cancelled before a payment arrives cannot be paid', async () => {
    const { backend } = fixture();
    const { preimage, invoice } = await created(fixture());
    expect(await backend.cancelInvoice(invoice.paymentHash)).toBe('cancelled');
    expect(await (await begun(fixture(), invoice)).ended()).toBe(false);
    expect(await backend.lookupInvoice(invoice.paymentHash)).toEqual({ status: 'cancelled' });
    expect(await backend.settleHoldInvoice(preimage)).toBe('cancelled');
  });

  holds('settle no payment that arrives after the call, and none of an amount that has not arrived', async () => {
    const { backend } = fixture();
    const { preimage, invoice } = await created(fixture(), { amountMsat: null });
    expect(await backend.settleHoldInvoice(preimage)).toBe('not_accepted');
    const payment = await arrived(fixture(), invoice, 7n * SATS);
    expect(await backend.lookupInvoice(invoice.paymentHash)).toEqual(acceptedState(invoice, 7n * SATS));
    expect(await backend.settleHoldInvoice(preimage)).toBe('settled');
    expect(await backend.lookupInvoice(invoice.paymentHash)).toMatchObject({ status: 'settled', amountMsat: 7n * SATS });
    expect(await payment.ended()).toBe(true);
  });

  holds('that were never created are not found', async () => {
    expect(await fixture().backend.settleHoldInvoice(newPreimage())).toBe('not_found');
  });

  holds('are unknown without a connection, and the payment waits for the repeated call', async () => {
    const { backend } = fixture();
    const { preimage, invoice } = await created(fixture());
    const payment = await arrived(fixture(), invoice);
    await fixture().disconnect();
    try {
      expect(await backend.settleHoldInvoice(preimage)).toBe('unknown');
      expect(await backend.cancelInvoice(invoice.paymentHash)).toBe('unknown');
      expect(await backend.lookupInvoice(invoice.paymentHash)).toEqual({ status: 'unknown' });
      expect(await backend.createHoldInvoice(aHoldInvoice(newPreimage()))).toEqual({ status: 'unknown' });
    } finally {
      await fixture().reconnect();
    }
    expect(await backend.lookupInvoice(invoice.paymentHash)).toEqual(acceptedState(invoice, 10n * SATS));
    expect(await backend.settleHoldInvoice(preimage)).toBe('settled');
    expect(await backend.lookupInvoice(invoice.paymentHash)).toMatchObject({ status: 'settled' });
    expect(await payment.ended()).toBe(true);
  });
}

const aHoldInvoice = (preimage: string): HoldInvoiceRequest => ({
  amountMsat: 10n * SATS,
  description: 'contract',
  expirySeconds: 3_600,
  paymentHash: sha256(preimage),
});

const acceptedState = ({ paymentRequest }: Bolt11Invoice, amountMsat: bigint): InvoiceState => ({
  status: 'accepted',
  paymentRequest,
  amountMsat,
});

async function created({ backend }: LightningBackendFixture, changes: Partial<HoldInvoiceRequest> = {}): Promise<Held> {
  const preimage = newPreimage();
  const made = await backend.createHoldInvoice({ ...aHoldInvoice(preimage), ...changes });
  if (made.status !== 'created') throw new Error(`The hold invoice was not made: ${made.status}`);
  const invoice = invoiceOf(made.paymentRequest);
  expect(made).toMatchObject({ nodeId: backend.nodeId, paymentHash: invoice.paymentHash, paymentSecret: invoice.paymentSecret });
  return { preimage, invoice };
}

function begun(fixture: LightningBackendFixture, { paymentRequest }: Bolt11Invoice, amountMsat?: bigint): Promise<ArrivingPayment> {
  if (!fixture.beginFromOutside) throw new Error('A fixture of a back end with hold invoices needs beginFromOutside');
  return fixture.beginFromOutside(paymentRequest, amountMsat);
}

/** Another node pays, and the payment has reached the node under test. */
async function arrived(fixture: LightningBackendFixture, invoice: Bolt11Invoice, amountMsat?: bigint): Promise<ArrivingPayment> {
  const payment = await begun(fixture, invoice, amountMsat);
  await eventually(async () => (await fixture.backend.lookupInvoice(invoice.paymentHash)).status !== 'open');
  return payment;
}
