import { Injectable } from '@nestjs/common';
import { Events } from '../../platform/events/index.js';
import { DeliveryDispatcher } from './delivery.dispatcher.js';
import { enqueue, withEndpoints, type WebhookEvent } from './delivery.store.js';
import { decodeInvoice } from '../lightning/index.js';
import { counterpartyOf, displayOf, feeOf, madeAt, type TransactionRow } from '../transaction/index.js';
import { toApiAmount } from '../wallet/index.js';

/** The names and units differ from the API's `Transaction`: they are the reference service's. */
function eventOf(row: TransactionRow): WebhookEvent {
  const type = `${row.direction === 'SEND' ? 'send' : 'receive'}.${row.settlement === 'ln' ? 'lightning' : 'intraledger'}` as const;
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
    initiationVia:
      row.initiation === 'ln'
        ? { type: 'lightning', paymentHash: row.paymentHash, pubkey: pubkeyOf(row.paymentRequest) }
        : { type: 'intraledger', ...counterpartyOf(row) },
    settlementVia:
      row.settlement === 'ln'
        ? { type: 'lightning', revealedPreImage: row.preimage }
        : { type: 'intraledger', ...counterpartyOf(row), preImage: row.preimage },
  };
}

function pubkeyOf(paymentRequest: string | null): string | null {
  const decoded = decodeInvoice(paymentRequest ?? '');
  return decoded.ok ? decoded.invoice.payeeNodeId : null;
}

const CONSUMER = 'webhook';

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
      { pick: (accountIds, tx) => withEndpoints(tx, accountIds) },
    );
    events.onConsumed(CONSUMER, () => dispatcher.wake());
  }
}
