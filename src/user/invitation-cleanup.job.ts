import { Injectable } from '@nestjs/common';
import { Database, sql } from '../database/index.js';
import { Jobs } from '../job/index.js';

const EVERY_SECONDS = 3_600;
const BATCH = 500;
/** How long the operator sees how an invitation ended. */
const KEPT_DAYS = 30;

const PURGE = sql`DELETE FROM invitation WHERE id IN (
        SELECT i.id FROM invitation i WHERE least(i.used_at, i.revoked_at, i.expires_at) < now() - make_interval(days => ${KEPT_DAYS})
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`;

/** Deletes invitations that ended thirty days ago. */
@Injectable()
export class InvitationCleanupJob {
  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.schedule('invitation_cleanup', { everySeconds: EVERY_SECONDS, atStart: true }, ({ signal }) => this.purge(signal));
  }

  /** Until nothing is left to delete. */
  async purge(signal?: AbortSignal): Promise<void> {
    while ((await this.database.query(PURGE)).length === BATCH && !signal?.aborted);
  }
}
