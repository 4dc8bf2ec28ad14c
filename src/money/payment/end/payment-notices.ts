import { Injectable } from '@nestjs/common';
import { sql } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';

const WATCHED = sql`SELECT w.id FROM payment_watched_accounts($1::uuid[]) AS w(id)`;
const NOTICES = sql`SELECT payment_notices($1::uuid[])`;

/** Adds notices of the first payment of an app, and of limits that are nearly used: once, after the payment, which does not wait for it. */
@Injectable()
export class PaymentNotices {
  constructor(events: Events) {
    events.consumeTogether(
      'payment_notice',
      'transaction.changed',
      async (changes, tx) => {
        const settled = changes.filter(({ event }) => event.direction === 'SEND' && event.status === 'SUCCESS');
        if (settled.length > 0) await tx.query(NOTICES, [settled.map(({ event }) => event.id)]);
      },
      { pick: async (accountIds, tx) => (await tx.query<{ readonly id: string }>(WATCHED, [accountIds])).map(({ id }) => id) },
    );
  }
}
