import { Injectable } from '@nestjs/common';
import { Events } from '../../platform/events/index.js';
import { DeliveryDispatcher } from './delivery.dispatcher.js';
import { DeliveryStore } from './delivery.store.js';
import { eventOf } from './event-body.js';

const CONSUMER = 'webhook';

/** Makes deliveries of what happens to people's money: once, in the transaction that stores how far the history was read. */
@Injectable()
export class HistoryWebhooks {
  constructor(events: Events, deliveries: DeliveryStore, dispatcher: DeliveryDispatcher) {
    events.consumeTogether(
      CONSUMER,
      'transaction.changed',
      async (changes, tx) =>
        deliveries.enqueue(
          tx,
          changes.map(({ event }) => ({ accountId: event.accountId, ...eventOf(event) })),
        ),
      {
        // The keys are accounts: without an endpoint, what happens to their money costs no statement of its own.
        pick: (accountIds, tx) => deliveries.withEndpoints(tx, accountIds),
      },
    );
    events.onConsumed(CONSUMER, () => dispatcher.wake());
  }
}
