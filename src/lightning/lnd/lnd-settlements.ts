import { setTimeout as delay } from 'node:timers/promises';
import type { InvoiceSettlement } from '../lightning-backend.js';
import type { LndInvoice } from './lnd-calls.js';
import type { LndConnection } from './lnd-connection.js';

const PAGE = 500;
/** A subscription has begun by then; LND does not report when. */
const SUBSCRIBED_MS = 2_000;

/**
 * Paid invoices after the cursor. LND has two traps: a subscription from settle index 0 sends no past ones, and one from index n sends none
 * up to n. So the payment of index 1, and it alone, is looked for in the list of invoices.
 */
export async function* settlementsAfter(
  connection: LndConnection,
  afterIndex: bigint,
  signal: AbortSignal,
): AsyncGenerator<InvoiceSettlement> {
  const first = afterIndex > 0n ? undefined : await findFirst(connection, signal);
  if (first) yield first;
  const after = first?.settleIndex ?? afterIndex;
  yield* after > 0n ? subscribe(connection, after, signal) : subscribeToFirst(connection, signal);
}

/** Nothing was ever paid. What is paid between that look and the subscription is found by another: then the stream ends, and is opened again. */
async function* subscribeToFirst(connection: LndConnection, signal: AbortSignal): AsyncGenerator<InvoiceSettlement> {
  const listening = new AbortController();
  const stop = (): void => listening.abort();
  signal.addEventListener('abort', stop);
  let hasFirst = false;
  const look = delay(SUBSCRIBED_MS, undefined, { signal: listening.signal })
    .then(() => findFirst(connection, listening.signal))
    .then((found) => found && !hasFirst && stop())
    .catch(() => undefined);
  try {
    for await (const settlement of subscribe(connection, 0n, listening.signal)) {
      const missed = !hasFirst && settlement.settleIndex > 1n ? await findFirst(connection, signal) : undefined;
      if (missed) yield missed;
      hasFirst = true;
      yield settlement;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    await look;
  }
}

async function* subscribe(connection: LndConnection, afterIndex: bigint, signal: AbortSignal): AsyncGenerator<InvoiceSettlement> {
  const request = { settle_index: String(afterIndex) };
  for await (const invoice of connection.stream('lnrpc.Lightning/SubscribeInvoices', request, signal)) {
    if (invoice.state === 'SETTLED') yield settlementOf(invoice);
  }
}

/** The payment of the lowest settle index, if that is 1: the others are sent by a subscription. */
async function findFirst(connection: LndConnection, signal: AbortSignal): Promise<InvoiceSettlement | undefined> {
  let offset = '0';
  while (!signal.aborted) {
    const page = await connection.call('lnrpc.Lightning/ListInvoices', { index_offset: offset, num_max_invoices: String(PAGE) });
    const first = page.invoices.find(({ state, settle_index: index }) => state === 'SETTLED' && index === '1');
    if (first) return settlementOf(first);
    if (page.invoices.length < PAGE) return undefined;
    offset = page.last_index_offset;
  }
  return undefined;
}

const settlementOf = (invoice: LndInvoice): InvoiceSettlement => ({
  settleIndex: BigInt(invoice.settle_index),
  paymentHash: invoice.r_hash.toString('hex'),
  amountMsat: BigInt(invoice.amt_paid_msat),
  settledAt: new Date(Number(invoice.settle_date) * 1000),
});
