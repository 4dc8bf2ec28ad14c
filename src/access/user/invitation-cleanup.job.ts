import { Injectable } from '@nestjs/common';
import { Database, DELETED_AT_ONCE, deleteInBatches, sql } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';

const EVERY_SECONDS = 3_600;
const KEPT_DAYS = 30;

const PURGE = sql`DELETE FROM invitation WHERE id IN (
        SELECT i.id FROM invitation i WHERE least(i.used_at, i.revoked_at, i.expires_at) < now() - make_interval(days => ${KEPT_DAYS})
         LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;

@Injectable()
export class InvitationCleanupJob {
  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.schedule('invitation_cleanup', { everySeconds: EVERY_SECONDS, atStart: true }, ({ signal }) => this.purge(signal));
  }

  purge(signal?: AbortSignal): Promise<void> {
    return deleteInBatches(this.database, PURGE, [], signal);
  }
}
