import { Injectable } from '@nestjs/common';
import { Database, DELETED_AT_ONCE, deleteInBatches, sql } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';

const EVERY_SECONDS = 3_600;
/** How long the owner of an endpoint sees a delivery that has ended, and may replay it. */
const KEPT_DAYS = 30;

const PURGE = sql`DELETE FROM webhook_delivery WHERE id IN (
        SELECT d.id FROM webhook_delivery d WHERE d.state <> 'waiting' AND d.ended_at < now() - make_interval(days => ${KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;
const FORGET_PREVIOUS = sql`UPDATE webhook_endpoint SET previous_secret = NULL, previous_until = NULL WHERE previous_until < now()`;

@Injectable()
export class DeliveryCleanupJob {
  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.schedule('webhook_cleanup', { everySeconds: EVERY_SECONDS, atStart: true }, ({ signal }) => this.purge(signal));
  }

  async purge(signal?: AbortSignal): Promise<void> {
    await this.database.query(FORGET_PREVIOUS);
    await deleteInBatches(this.database, PURGE, [], signal);
  }
}
