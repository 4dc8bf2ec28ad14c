import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { DeliveryDispatcher } from './delivery.dispatcher.js';
import { enqueue, type WebhookEvent } from './delivery.store.js';
import { decodeInvoice } from '../lightning/index.js';
import { counterpartyOf, displayOf, feeOf, madeAt, type TransactionRow } from '../transaction/index.js';
import { toApiAmount } from '../wallet/index.js';

const RAILS = { ln: 'lightning', intraledger: 'intraledger', onchain: 'onchain' } as const;

/** The names and units differ from the API's `Transaction`: they are the reference service's. */
function eventOf(row: TransactionRow): WebhookEvent {
  const type = `${row.direction === 'SEND' ? 'send' : 'receive'}.${RAILS[row.settlement]}` as const;
  const { accountId, walletId } = row;
  return { type, body: JSON.stringify({ accountId, eventType: type, walletId, transaction: transactionOf(row) }) };
}

function transactionOf(row: TransactionRow): object {
  const { currency: displayCurrency, quote, textOf } = displayOf(row);
  return {
    id: row.id,
    walletId: row.walletId,
    createdAt: madeAt(row).toISOString(),
    status: row.status.toLowerCase(),
    memo: row.memo,
    externalId: row.externalId,
    settlementAmount: toApiAmount(row.amount, row.currency),
    settlementFee: feeOf(row),
    settlementCurrency: row.currency,
    settlementDisplayAmount: textOf(row.amount),
    settlementDisplayFee: textOf(row.fee),
    settlementDisplayPrice: {
      base: String(quote.base),
      offset: String(quote.offset),
      displayCurrency,
      walletCurrency: row.currency,
    },
    initiationVia: { type: RAILS[row.initiation], ...initiationOf(row) },
    settlementVia: { type: RAILS[row.settlement], ...settlementOf(row) },
  };
}

function initiationOf(row: TransactionRow): object {
  if (row.initiation === 'onchain') return { address: row.address };
  return row.initiation === 'ln' ? { paymentHash: row.paymentHash, pubkey: pubkeyOf(row.paymentRequest) } : counterpartyOf(row);
}

function settlementOf(row: TransactionRow): object {
  if (row.settlement === 'onchain') return { transactionHash: row.txid, vout: row.vout };
  return row.settlement === 'ln' ? { revealedPreImage: row.preimage } : { ...counterpartyOf(row), preImage: row.preimage };
}

function pubkeyOf(paymentRequest: string | null): string | null {
  const decoded = decodeInvoice(paymentRequest ?? '');
  return decoded.ok ? decoded.invoice.payeeNodeId : null;
}

const CONSUMER = 'webhook';
const WITH_ENDPOINTS = sql`SELECT DISTINCT account_id AS id FROM webhook_endpoint WHERE account_id = ANY ($1::uuid[])`;

/** Makes deliveries of what happens to people's money: once, in the transaction that stores how far the history was read. */
@Injectable()
export class HistoryWebhooks {
  constructor(events: Events, dispatcher: DeliveryDispatcher) {
    events.consumeTogether(
      CONSUMER,
      'transaction.changed',
      (changes, tx) =>
        enqueue(
          tx,
          changes.map(({ event }) => ({ accountId: event.accountId, ...eventOf(event) })),
        ),
      // The keys are accounts: without an endpoint, what happens to their money costs no statement of its own.
      { pick: async (accountIds, tx) => (await tx.query<{ id: string }>(WITH_ENDPOINTS, [accountIds])).map(({ id }) => id) },
    );
    events.onConsumed(CONSUMER, () => dispatcher.wake());
  }
}
