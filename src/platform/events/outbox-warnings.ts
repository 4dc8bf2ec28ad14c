import type { Log } from '../logging/index.js';
import type { OutboxListener } from './outbox.js';

export function outboxWarnings(log: Log, keptHours: number): Pick<OutboxListener, 'onLost' | 'onOverrun' | 'onPreparedTransactions'> {
  return {
    onLost: () => log.warn('events_connection_lost', {}, 'The connection that listens for events was lost; it is opened again'),
    onOverrun: (consumer) =>
      log.error(
        'events_consumer_overrun',
        { consumer },
        `Consumer ${consumer}: it has not handled an event for ${keptHours} hours; it is stopped until \`sluice events replay ${consumer}\``,
      ),
    onPreparedTransactions: () =>
      log.error(
        'events_prepared_transactions_allowed',
        {},
        'The database allows prepared transactions; one that is left open stops every payment',
      ),
  };
}
