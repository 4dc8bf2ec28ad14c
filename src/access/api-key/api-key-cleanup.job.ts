import { Injectable } from '@nestjs/common';
import { Database, DELETED_AT_ONCE, sql, type Tx } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';
import { SpendingLimits } from '../limit/index.js';

const EVERY_SECONDS = 86_400;
/** How long their owner sees keys that have ended; a page shows the latest of them only. */
const KEPT_DAYS = 90;

const PURGE = sql`DELETE FROM api_key WHERE id IN (
         SELECT k.id FROM api_key k WHERE least(k.revoked_at, k.expires_at) < now() - make_interval(days => ${KEPT_DAYS})
          LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING id`;

/** Deletes keys that ended ninety days ago, with their budgets: people and apps may make and revoke any number. */
@Injectable()
export class ApiKeyCleanupJob {
  constructor(
    private readonly database: Database,
    private readonly limits: SpendingLimits,
    jobs: Jobs,
  ) {
    jobs.schedule('api_key_cleanup', { everySeconds: EVERY_SECONDS, atStart: true }, ({ signal }) => this.purge(signal));
  }

  async purge(signal?: AbortSignal): Promise<void> {
    while ((await this.database.transaction((tx) => this.purgeBatch(tx))) === DELETED_AT_ONCE && !signal?.aborted);
  }

  private async purgeBatch(tx: Tx): Promise<number> {
    const keys = await tx.query<{ readonly id: string }>(PURGE);
    await this.limits.forget(
      tx,
      keys.map(({ id }) => id),
    );
    return keys.length;
  }
}
