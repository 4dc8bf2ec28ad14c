import { Injectable } from '@nestjs/common';
import { Database, DELETED_AT_ONCE, deleteInBatches, sql } from '../../../platform/database/index.js';
import { Jobs } from '../../../platform/job/index.js';

const EVERY_SECONDS = 86_400;
const KEPT_DAYS = 90;

const PURGE = sql`DELETE FROM node_payment WHERE (node_id, payment_hash) IN (
        SELECT p.node_id, p.payment_hash FROM node_payment p WHERE p.verdict <> 'unexplained' AND p.state <> 'in_flight' AND p.found_at < now() - make_interval(days => ${KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;

/** Deletes payments of nodes that the ledger does not know ninety days after they were found: an operator's node may make any number. */
@Injectable()
export class NodePaymentCleanupJob {
  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.schedule('node_payment_cleanup', { everySeconds: EVERY_SECONDS, atStart: true }, ({ signal }) => this.purge(signal));
  }

  purge(signal?: AbortSignal): Promise<void> {
    return deleteInBatches(this.database, PURGE, [], signal);
  }
}
