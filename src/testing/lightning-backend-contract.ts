import { createHash, randomBytes } from 'node:crypto';
import type { Network } from '../config/index.js';
import {
  decodeInvoice,
  type Bolt11Invoice,
  type FinalPayment,
  type InvoiceRequest,
  type LightningBackend,
  type SettledPayment,
} from '../lightning/index.js';

/** A node under test, and somebody at the other end of its channels. */
export interface LightningBackendFixture {
  readonly backend: LightningBackend;
  readonly network: Network;
  /** An invoice of somebody else that the node can pay. */
  invoiceOfOther(amountMsat: bigint | null): Promise<string>;
  /** A valid invoice of somebody else that the node cannot pay: no route leads there. */
  invoiceOutOfReach(amountMsat: bigint): Promise<string>;
  /** Somebody else pays an invoice of the node; resolves when it is paid, to false when it cannot be. */
  payFromOutside(paymentRequest: string, amountMsat?: bigint): Promise<boolean>;
  close(): Promise<void>;
}

const SATS = 1_000n;
const FEE_LIMIT_MSAT = 50n * SATS;
const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
const newPreimage = (): string => randomBytes(32).toString('hex');

/**
 * Defines Jest tests for what `LightningBackend` promises. Call it at the top of a test file with a function that opens a fixture; it is
 * opened once and closed at the end. Faults of the network are not tested here: a real node cannot be told to have them.
 */
export function lightningBackendContract(open: () => Promise<LightningBackendFixture>): void {
  let fixture: LightningBackendFixture;
  beforeAll(async () => {
    fixture = await open();
  });
  afterAll(() => fixture.close());

  describe('the node', () => {
    it('says who it is', async () => {
      const { backend, network } = fixture;
      expect(backend.nodeId).toMatch(/^0[23][0-9a-f]{64}$/);
      expect(await backend.info()).toMatchObject({ status: 'ready', nodeId: backend.nodeId, network });
    });
  });
  describe('invoices', () => invoiceContract(() => fixture));
  describe('settlements', () => settlementContract(() => fixture));
  describe('payments', () => paymentContract(() => fixture));
}

function invoiceContract(fixture: () => LightningBackendFixture): void {
  it('are made as asked, of the caller’s preimage', async () => {
    const preimage = newPreimage();
    const invoice = await createdInvoice(fixture(), { preimage, amountMsat: 21n * SATS, description: 'coffee ☕', expirySeconds: 600 });
    const { network, backend } = fixture();
    expect(invoice).toMatchObject({ network, amountMsat: 21n * SATS, description: 'coffee ☕', payeeNodeId: backend.nodeId });
    expect(invoice.paymentHash).toBe(sha256(preimage));
    expect(invoice.expiresAt.getTime() - invoice.createdAt.getTime()).toBe(600_000);
  });

  it('may leave the amount open, and commit to a description elsewhere', async () => {
    const descriptionHash = newPreimage();
    expect(await createdInvoice(fixture(), { amountMsat: null, descriptionHash })).toMatchObject({
      amountMsat: null,
      descriptionHash,
      description: null,
    });
  });

  it.each<[string, Partial<InvoiceRequest>]>([
    ['nothing', { amountMsat: 0n }],
    ['less than nothing', { amountMsat: -1n }],
    ['more than all bitcoin', { amountMsat: 2n ** 62n }],
    ['a novel as a description', { description: 'x'.repeat(640) }],
    ['no time to pay', { expirySeconds: 0 }],
    ['a preimage of another size', { preimage: 'ab' }],
  ])('are refused for %s', async (_, wrong) => {
    expect(await fixture().backend.createInvoice({ ...anInvoice(), ...wrong })).toEqual({ status: 'refused', reason: 'invalid' });
  });

  it('are made once of a preimage', async () => {
    const request = anInvoice();
    expect(await fixture().backend.createInvoice(request)).toMatchObject({ status: 'created' });
    expect(await fixture().backend.createInvoice(request)).toEqual({ status: 'refused', reason: 'duplicate' });
  });

  it('are open until they are cancelled, and cannot be paid then', async () => {
    const { backend } = fixture();
    const { paymentHash, paymentRequest } = await createdInvoice(fixture());
    expect(await backend.lookupInvoice(paymentHash)).toEqual({ status: 'open' });
    expect(await backend.cancelInvoice(paymentHash)).toBe('cancelled');
    expect(await backend.cancelInvoice(paymentHash)).toBe('cancelled');
    expect(await backend.lookupInvoice(paymentHash)).toEqual({ status: 'cancelled' });
    expect(await fixture().payFromOutside(paymentRequest)).toBe(false);
  });

  it('are settled once they are paid, and then neither cancelled nor paid again', async () => {
    const { backend } = fixture();
    const { paymentHash, paymentRequest } = await createdInvoice(fixture(), { amountMsat: 5n * SATS });
    expect(await fixture().payFromOutside(paymentRequest)).toBe(true);
    expect(await backend.lookupInvoice(paymentHash)).toMatchObject({ status: 'settled', amountMsat: 5n * SATS });
    expect(await backend.cancelInvoice(paymentHash)).toBe('settled');
    expect(await fixture().payFromOutside(paymentRequest)).toBe(false);
  });

  it('that nobody made are not found', async () => {
    expect(await fixture().backend.lookupInvoice(newPreimage())).toEqual({ status: 'not_found' });
    expect(await fixture().backend.cancelInvoice(newPreimage())).toBe('not_found');
  });
}

function settlementContract(fixture: () => LightningBackendFixture): void {
  it('are told from the cursor on, in order, those that are past and those to come', async () => {
    const { backend } = fixture();
    const paid = [await createdInvoice(fixture()), await createdInvoice(fixture()), await createdInvoice(fixture(), { amountMsat: null })];
    const [first, second, third] = paid as [Bolt11Invoice, Bolt11Invoice, Bolt11Invoice];
    await fixture().payFromOutside(first.paymentRequest);
    await fixture().payFromOutside(second.paymentRequest);
    const listening = new AbortController();
    const told = collect(
      backend.invoiceSettlements(0n, listening.signal),
      listening,
      ({ paymentHash }) => paymentHash === third.paymentHash,
    );
    await fixture().payFromOutside(third.paymentRequest, 7n * SATS);
    const settlements = await told;

    const indexes = settlements.map(({ settleIndex }) => settleIndex);
    expect(indexes).toEqual(indexes.toSorted((a, b) => Number(a - b)));
    expect(indexes[0]).toBeGreaterThanOrEqual(1n);
    const hashes = settlements.map(({ paymentHash }) => paymentHash);
    expect(hashes.filter((hash) => paid.some(({ paymentHash }) => paymentHash === hash))).toEqual(
      paid.map(({ paymentHash }) => paymentHash),
    );
    expect(settlements.at(-1)).toMatchObject({ amountMsat: 7n * SATS, settledAt: expect.any(Date) as Date });
    expect(await backend.lookupInvoice(third.paymentHash)).toMatchObject({ settleIndex: indexes.at(-1) });

    const again = new AbortController();
    const last = await collect(backend.invoiceSettlements(indexes.at(-2) ?? 0n, again.signal), again, () => true);
    expect(last.map(({ paymentHash }) => paymentHash)).toEqual([third.paymentHash]);
  });

  it('end when nobody listens any more', async () => {
    const listening = new AbortController();
    const told = collect(fixture().backend.invoiceSettlements(2n ** 62n, listening.signal), listening, () => false);
    listening.abort();
    expect(await told).toEqual([]);
  });
}

function paymentContract(fixture: () => LightningBackendFixture): void {
  it('settle with the proof of payment, for a fee within the limit', async () => {
    const { backend } = fixture();
    const request = paymentOf(await fixture().invoiceOfOther(100n * SATS));
    const outcome = await backend.pay(request);
    expect(outcome).toMatchObject({ status: 'settled' });
    if (outcome.status !== 'settled') return;
    expect(sha256(outcome.preimage)).toBe(request.paymentHash);
    expect(outcome.feeMsat).toBeGreaterThanOrEqual(0n);
    expect(outcome.feeMsat).toBeLessThanOrEqual(FEE_LIMIT_MSAT);
    expect(await backend.lookupPayment(request.paymentHash)).toEqual(outcome);
  });

  it('fill in an amount that was left open', async () => {
    const request = paymentOf(await fixture().invoiceOfOther(null), 42n * SATS);
    expect(await fixture().backend.pay(request)).toMatchObject({ status: 'settled' });
  });

  it('are made once, however often they are asked for', async () => {
    const { backend } = fixture();
    const request = paymentOf(await fixture().invoiceOfOther(100n * SATS));
    const outcomes = await Promise.all([backend.pay(request), backend.pay(request)]);
    const settled = await backend.lookupPayment(request.paymentHash);
    expect(settled).toMatchObject({ status: 'settled' });
    for (const outcome of [...outcomes, await backend.pay(request)]) expect([settled, { status: 'unknown' }]).toContainEqual(outcome);
  });

  it('fail where nobody leads, and may then be tried again', async () => {
    const { backend } = fixture();
    const request = paymentOf(await fixture().invoiceOutOfReach(100n * SATS));
    for (const attempt of [1, 2]) {
      expect({ attempt, ...(await backend.pay(request)) }).toEqual({ attempt, status: 'failed', reason: 'no_route' });
      expect(['failed', 'not_found']).toContain((await backend.lookupPayment(request.paymentHash)).status);
    }
  });

  it('that nobody asked for are not found', async () => {
    expect(await fixture().backend.lookupPayment(newPreimage())).toEqual({ status: 'not_found' });
  });

  it('are told of when they end', async () => {
    const { backend } = fixture();
    const listening = new AbortController();
    const told = collect(backend.paymentOutcomes(listening.signal), listening, () => true);
    const paid: FinalPayment[] = [];
    // Nobody can see from here how long a stream takes to begin, so there is more than one payment to be told of.
    for (let tries = 0; tries < 50 && !listening.signal.aborted; tries++) {
      const request = paymentOf(await fixture().invoiceOfOther(10n * SATS));
      paid.push({ ...((await backend.pay(request)) as SettledPayment), paymentHash: request.paymentHash });
    }
    const [first] = await told;
    expect(paid).toContainEqual(first);
  });
}

const anInvoice = (): InvoiceRequest => ({
  amountMsat: 10n * SATS,
  description: 'contract',
  expirySeconds: 3_600,
  preimage: newPreimage(),
});

async function createdInvoice({ backend }: LightningBackendFixture, wish: Partial<InvoiceRequest> = {}): Promise<Bolt11Invoice> {
  const created = await backend.createInvoice({ ...anInvoice(), ...wish });
  if (created.status !== 'created') throw new Error(`The invoice was not made: ${created.status}`);
  const invoice = invoiceOf(created.paymentRequest);
  expect(created).toMatchObject({ nodeId: backend.nodeId, paymentHash: invoice.paymentHash, paymentSecret: invoice.paymentSecret });
  return invoice;
}

function invoiceOf(paymentRequest: string): Bolt11Invoice {
  const decoded = decodeInvoice(paymentRequest);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.invoice;
}

function paymentOf(paymentRequest: string, amountMsat?: bigint): Parameters<LightningBackend['pay']>[0] {
  const invoice = invoiceOf(paymentRequest);
  return {
    paymentRequest,
    paymentHash: invoice.paymentHash,
    amountMsat: amountMsat ?? invoice.amountMsat ?? 0n,
    feeLimitMsat: FEE_LIMIT_MSAT,
    timeoutSeconds: 20,
  };
}

/** What a stream says, up to and including the one that is `last`. */
async function collect<T>(stream: AsyncIterable<T>, listening: AbortController, last: (item: T) => boolean): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) {
    items.push(item);
    if (last(item)) listening.abort();
  }
  return items;
}
