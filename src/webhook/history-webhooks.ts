import { Injectable } from '@nestjs/common';
import { Events } from '../events/index.js';
import { DeliveryDispatcher } from './delivery.dispatcher.js';
import { DeliveryStore } from './delivery.store.js';
import { eventOf } from './event-body.js';

/** Makes deliveries of what happens to people's money: once, in the transaction that stores how far the history was read. */
@Injectable()
export class HistoryWebhooks {
  constructor(events: Events, deliveries: DeliveryStore, dispatcher: DeliveryDispatcher) {
    // The keys are accounts: without an endpoint, what happens to their money costs no statement of its own.
    events.consume(
      'webhook',
      'transaction.changed',
      (row, tx) => deliveries.enqueue(tx, row.accountId, eventOf(row)),
      'next',
      (accountIds, tx) => deliveries.withEndpoints(tx, accountIds),
    );
    events.onConsumed('webhook', () => dispatcher.wake(false));
  }
}
