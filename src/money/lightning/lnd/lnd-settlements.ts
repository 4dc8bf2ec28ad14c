import { setTimeout as delay } from 'node:timers/promises';
import { onAbort } from '../../../platform/kernel/on-abort.js';
import type { InvoiceSettlement } from '../lightning-backend.js';
import type { LndInvoice } from './lnd-calls.js';
import type { LndConnection } from './lnd-connection.js';

const PAGE = 500;
/** A subscription has begun by then; LND does not report when. */
const SUBSCRIBED_MS = 2_000;

const START = '0';

/**
 * Paid invoices after the cursor. LND has two traps: a subscription from settle index 0 sends no past ones, and one from index n sends none
 * up to n. So the payment of index 1, and it alone, is looked for in the list of invoices.
 */
export async function* settlementsAfter(
  connection: LndConnection,
  first: FirstSettlement,
  afterIndex: bigint,
  signal: AbortSignal,
): AsyncGenerator<InvoiceSettlement> {
  yield* afterIndex > 0n ? subscribe(connection, afterIndex, signal) : subscribeFromStart(connection, first, signal);
}

/**
 * Subscribes at once, and looks for the first payment meanwhile: the list may be long. It is looked for a second time when the subscription
 * has begun, because it may have been paid between the two.
 */
async function* subscribeFromStart(
  connection: LndConnection,
  first: FirstSettlement,
  signal: AbortSignal,
): AsyncGenerator<InvoiceSettlement> {
  const looking = new AbortController();
  const stop = (): void => looking.abort();
  const ignore = onAbort(signal, stop);
  let hasFirst = false;
  let failure: unknown;
  const look = first.findTwice(connection, looking.signal).then(
    (found) => found && !hasFirst && stop(),
    (error: unknown) => {
      failure = error;
      stop();
    },
  );
  try {
    for await (const settlement of subscribe(connection, 0n, looking.signal)) {
      // The subscription has sent none of those between the two.
      if (!hasFirst && settlement.settleIndex > 1n && (await first.find(connection, signal))) break;
      hasFirst = true;
      yield settlement;
    }
  } finally {
    ignore();
    stop();
    await look;
  }
  if (failure instanceof Error) throw failure;
  if (hasFirst || !first.found || signal.aborted) return;
  yield first.found;
  yield* subscribe(connection, first.found.settleIndex, signal);
}

async function* subscribe(connection: LndConnection, afterIndex: bigint, signal: AbortSignal): AsyncGenerator<InvoiceSettlement> {
  const request = { settle_index: String(afterIndex) };
  for await (const invoice of connection.stream('lnrpc.Lightning/SubscribeInvoices', request, signal)) {
    if (invoice.state === 'SETTLED') yield settlementOf(invoice);
  }
}

/**
 * The payment of settle index 1. While there is none, each look reads the list of invoices from the first page on that has an open one: those
 * that have ended do not change.
 */
export class FirstSettlement {
  found: InvoiceSettlement | undefined;
  private endedOffset = START;

  async findTwice(connection: LndConnection, signal: AbortSignal): Promise<InvoiceSettlement | undefined> {
    // A node that was restored since has another one.
    this.found = undefined;
    const found = await this.find(connection, signal);
    if (found || !(await isOver(SUBSCRIBED_MS, signal))) return found;
    return this.find(connection, signal);
  }

  async find(connection: LndConnection, signal: AbortSignal): Promise<InvoiceSettlement | undefined> {
    const begun = this.endedOffset;
    let offset = begun;
    let isEnded = true;
    while (!this.found && !signal.aborted) {
      const page = await connection.call('lnrpc.Lightning/ListInvoices', { index_offset: offset, num_max_invoices: String(PAGE) });
      const first = page.invoices.find(({ state, settle_index: index }) => state === 'SETTLED' && index === '1');
      if (first) this.found = settlementOf(first);
      else if (page.invoices.length === 0 && offset === begun && begun !== START) {
        // The list is shorter than it was, or ends with a page: the node may have been restored.
        this.endedOffset = START;
        return this.find(connection, signal);
      }
      if (page.invoices.length < PAGE) break;
      offset = page.last_index_offset;
      isEnded &&= page.invoices.every(({ state }) => state === 'SETTLED' || state === 'CANCELED');
      if (isEnded) this.endedOffset = offset;
    }
    return this.found;
  }
}

const isOver = (ms: number, signal: AbortSignal): Promise<boolean> => delay(ms, true, { signal }).catch(() => false);

const settlementOf = (invoice: LndInvoice): InvoiceSettlement => ({
  settleIndex: BigInt(invoice.settle_index),
  paymentHash: invoice.r_hash.toString('hex'),
  amountMsat: BigInt(invoice.amt_paid_msat),
  settledAt: new Date(Number(invoice.settle_date) * 1000),
});
