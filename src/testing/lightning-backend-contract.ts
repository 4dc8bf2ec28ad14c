import { paymentHashOf } from '../platform/kernel/payment-hash.js';
import { LIGHTNING_CAPABILITIES, LIGHTNING_PORT_VERSION, type Bolt11Invoice, type InvoiceRequest } from '../money/lightning/index.js';
import { collect, invoiceOf, newPreimage, SATS, type ContractTest, type LightningBackendFixture } from './lightning-backend-fixture.js';
import { faultContract } from './lightning-fault-contract.js';
import { paymentContract, probeContract } from './lightning-payment-contract.js';

export type { HeldInvoice, LightningBackendFixture } from './lightning-backend-fixture.js';

/**
 * Defines Jest tests of the contract of `LightningBackend`. Call it at the top of a test file with a function that opens a fixture; it is
 * opened once and closed at the end.
 */
export function lightningBackendContract(open: () => Promise<LightningBackendFixture>): void {
  let fixture: LightningBackendFixture;
  beforeAll(async () => {
    fixture = await open();
  });
  afterAll(() => fixture.close());
  const test: ContractTest = (title, check) => it(title, () => check(fixture, fixture.backend));

  describe('the node', () => {
    it('reports its id', async () => {
      const { backend, network } = fixture;
      expect(backend.nodeId).toMatch(/^0[23][0-9a-f]{64}$/);
      expect(await backend.info()).toMatchObject({ status: 'ready', nodeId: backend.nodeId, network });
    });

    it('reports its latest block as numbers and hex, or not at all', async () => {
      const info = await fixture.backend.info();
      const { blockHeight = 0, blockHash = '00'.repeat(32) } = info.status === 'ready' ? info : {};
      expect(info.status).toBe('ready');
      // GraphQL's Int.
      expect(Number.isInteger(blockHeight) && blockHeight >= 0 && blockHeight < 2 ** 31).toBe(true);
      expect(blockHash).toMatch(/^[0-9a-f]{64}$/);
    });

    it('states the version of the port, and capabilities with which Sluice can work', () => {
      const { portVersion, capabilities } = fixture.backend;
      expect(portVersion).toBe(LIGHTNING_PORT_VERSION);
      expect(Object.keys(LIGHTNING_CAPABILITIES)).toEqual(expect.arrayContaining([...capabilities]));
      expect([...capabilities]).toEqual(expect.arrayContaining(['own_preimage', 'settle_index']));
      expect(capabilities.has('payment_list') && !capabilities.has('payment_index')).toBe(false);
    });
  });
  describe('invoices', () => invoiceContract(test));
  describe('settlements', () => settlementContract(test));
  describe('payments', () => paymentContract(test));
  describe('fee probes', () => probeContract(test));
  describe('faults', () => faultContract(test));
}

/** From the making of an invoice to its payment, on a machine of any speed: less than what an error of a unit makes of it. */
const MAX_AGE_MS = 3_600_000;

function invoiceContract(it: ContractTest): void {
  it('are created as requested, with the caller’s preimage', async (fixture, backend) => {
    const preimage = newPreimage();
    const invoice = await createdInvoice(fixture, { preimage, amountMsat: 21n * SATS, description: 'coffee ☕', expirySeconds: 600 });
    expect(invoice).toMatchObject({
      network: fixture.network,
      amountMsat: 21n * SATS,
      description: 'coffee ☕',
      payeeNodeId: backend.nodeId,
    });
    expect(invoice.paymentHash).toBe(paymentHashOf(preimage));
    expect(invoice.expiresAt.getTime() - invoice.createdAt.getTime()).toBe(600_000);
  });

  it('can leave the amount open, and commit to a description hash', async (fixture) => {
    const descriptionHash = newPreimage();
    expect(await createdInvoice(fixture, { amountMsat: null, descriptionHash })).toMatchObject({
      amountMsat: null,
      descriptionHash,
      description: null,
    });
  });

  const refused: readonly [string, Partial<InvoiceRequest>][] = [
    ['nothing', { amountMsat: 0n }],
    ['less than nothing', { amountMsat: -1n }],
    ['more than all bitcoin', { amountMsat: 2n ** 62n }],
    ['a novel as a description', { description: 'x'.repeat(640) }],
    ['no time to pay', { expirySeconds: 0 }],
    ['a preimage of another size', { preimage: 'ab' }],
  ];
  for (const [what, wrong] of refused)
    it(`are refused for ${what}`, async (_fixture, backend) => {
      expect(await backend.createInvoice({ ...anInvoice(), ...wrong })).toEqual({ status: 'refused', reason: 'invalid' });
    });

  it('are created once for a preimage', async (fixture) => {
    const request = anInvoice();
    expect(await fixture.backend.createInvoice(request)).toMatchObject({ status: 'created' });
    expect(await fixture.backend.createInvoice(request)).toEqual({ status: 'refused', reason: 'duplicate' });
  });

  it('are open until cancelled, and cannot be paid afterwards', async (fixture, backend) => {
    const { paymentHash, paymentRequest } = await createdInvoice(fixture);
    expect(await backend.lookupInvoice(paymentHash)).toEqual({ status: 'open', paymentRequest });
    if (!backend.capabilities.has('cancel_invoice')) return expect(await backend.cancelInvoice(paymentHash)).toBe('unsupported');
    expect(await backend.cancelInvoice(paymentHash)).toBe('cancelled');
    expect(await backend.cancelInvoice(paymentHash)).toBe('cancelled');
    expect(await backend.lookupInvoice(paymentHash)).toEqual({ status: 'cancelled' });
    expect(await fixture.payFromOutside(paymentRequest)).toBe(false);
  });

  it('are settled once paid, and can then neither be cancelled nor paid again', async (fixture, backend) => {
    const { paymentHash, paymentRequest } = await createdInvoice(fixture, { amountMsat: 5n * SATS });
    expect(await fixture.payFromOutside(paymentRequest)).toBe(true);
    expect(await backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'settled', amountMsat: 5n * SATS });
    if (backend.capabilities.has('cancel_invoice')) expect(await backend.cancelInvoice(paymentHash)).toBe('settled');
    expect(await fixture.payFromOutside(paymentRequest)).toBe(false);
  });

  it('are not settled by less than they ask', async (fixture) => {
    const { paymentHash, paymentRequest } = await createdInvoice(fixture, { amountMsat: 5n * SATS });
    expect(await fixture.payFromOutside(paymentRequest, 4n * SATS)).toBe(false);
    expect(await fixture.backend.lookupInvoice(paymentHash)).toEqual({ status: 'open', paymentRequest });
  });

  it('that were never created are not found', async (_fixture, backend) => {
    expect(await backend.lookupInvoice(newPreimage())).toEqual({ status: 'not_found' });
    if (backend.capabilities.has('cancel_invoice')) expect(await backend.cancelInvoice(newPreimage())).toBe('not_found');
  });
}

function settlementContract(it: ContractTest): void {
  it('are streamed from the cursor on, in order, past ones and new ones', async (fixture, backend) => {
    const paid = [await createdInvoice(fixture), await createdInvoice(fixture), await createdInvoice(fixture, { amountMsat: null })];
    const [first, second, third] = paid as [Bolt11Invoice, Bolt11Invoice, Bolt11Invoice];
    await fixture.payFromOutside(first.paymentRequest);
    await fixture.payFromOutside(second.paymentRequest);
    const listening = new AbortController();
    const settled = collect(
      backend.invoiceSettlements(0n, listening.signal),
      listening,
      ({ paymentHash }) => paymentHash === third.paymentHash,
    );
    await fixture.payFromOutside(third.paymentRequest, 7n * SATS);
    const settlements = await settled;

    const indexes = settlements.map(({ settleIndex }) => settleIndex);
    expect(indexes).toEqual(indexes.toSorted((a, b) => Number(a - b)));
    expect(indexes[0]).toBeGreaterThanOrEqual(1n);
    const hashes = settlements.map(({ paymentHash }) => paymentHash);
    expect(hashes.filter((hash) => paid.some(({ paymentHash }) => paymentHash === hash))).toEqual(
      paid.map(({ paymentHash }) => paymentHash),
    );
    expect(settlements.at(-1)).toMatchObject({ amountMsat: 7n * SATS });
    const ageMs = Number(settlements.at(-1)?.settledAt) - Number(third.createdAt);
    expect(ageMs >= 0 && ageMs < MAX_AGE_MS).toBe(true);
    expect(await backend.lookupInvoice(third.paymentHash)).toMatchObject({ settleIndex: indexes.at(-1) });

    // Some nodes know the second only.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const again = new AbortController();
    const last = await collect(backend.invoiceSettlements(indexes.at(-2) ?? 0n, again.signal), again, () => true);
    expect(last).toEqual(settlements.slice(-1));
  });

  it('end when the last listener leaves', async (fixture) => {
    const listening = new AbortController();
    const settled = collect(fixture.backend.invoiceSettlements(2n ** 62n, listening.signal), listening, () => false);
    listening.abort();
    expect(await settled).toEqual([]);
  });
}

const anInvoice = (): InvoiceRequest => ({
  amountMsat: 10n * SATS,
  description: 'contract',
  expirySeconds: 3_600,
  preimage: newPreimage(),
});

async function createdInvoice({ backend }: LightningBackendFixture, changes: Partial<InvoiceRequest> = {}): Promise<Bolt11Invoice> {
  const created = await backend.createInvoice({ ...anInvoice(), ...changes });
  if (created.status !== 'created') throw new Error(`The invoice was not made: ${created.status}`);
  const invoice = invoiceOf(created.paymentRequest);
  expect(created).toMatchObject({ nodeId: backend.nodeId, paymentHash: invoice.paymentHash, paymentSecret: invoice.paymentSecret });
  return invoice;
}
