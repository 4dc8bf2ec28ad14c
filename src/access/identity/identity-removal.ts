import { Injectable } from '@nestjs/common';
import { Database, DELETED_AT_ONCE, sql, type Tx } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { Log } from '../../platform/logging/index.js';
import { AccessPauseService, UserService, type PasswordChangeWork } from '../user/index.js';
import { IdentitySettings } from './identity.settings.js';

/** For the absent the condition is judged again: they may have signed in meanwhile. */
const MARK = sql`UPDATE user_identity SET removed_at = now()
          WHERE user_id = $1 AND ($2::int IS NULL OR removed_at IS NULL AND proved_at < now() - make_interval(days => $2)) RETURNING 1`;
/** By the latest of a person's identities: an organisation may have changed its provider. */
const LIST_ABSENT = sql`SELECT i.user_id AS id FROM user_identity i WHERE i.removed_at IS NULL
          GROUP BY i.user_id HAVING max(i.proved_at) < now() - make_interval(days => $1) LIMIT ${DELETED_AT_ONCE}`;

/** People whom the organisation has removed: their sessions end, and `IDENTITY_REMOVED` decides about the rest. Their next sign-in by the provider ends the pause. */
@Injectable()
export class IdentityRemoval {
  private readonly log = new Log('Identity');
  private readonly atEnd: PasswordChangeWork[] = [];

  constructor(
    private readonly settings: IdentitySettings,
    private readonly database: Database,
    private readonly users: UserService,
    private readonly pauses: AccessPauseService,
    private readonly events: Events,
  ) {}

  /** What else `IDENTITY_REMOVED=end` ends. @internal */
  joinEnd(work: PasswordChangeWork): void {
    this.atEnd.push(work);
  }

  /** @param absentDays only if the person is absent for so long @returns false if they are not. The caller awaits `Events.delivered` after its commit */
  async removeWithin(tx: Tx, userId: string, absentDays: number | null = null): Promise<boolean> {
    if ((await tx.query(MARK, [userId, absentDays])).length === 0) return false;
    await this.users.endSessions(tx, userId);
    this.log.info('identity_removed', { userId }, `User ${userId} was removed by the organisation`);
    const { IDENTITY_REMOVED: rule } = this.settings;
    if (rule === 'pause') await this.pauses.setWithin(tx, userId, 'identity', true);
    if (rule === 'end') for (const work of this.atEnd) await work(tx, userId);
    return true;
  }

  /** Removes those who have not come through the provider for `IDENTITY_ABSENT_DAYS`. */
  async removeAbsent(signal: AbortSignal): Promise<void> {
    const { IDENTITY_ABSENT_DAYS: days } = this.settings;
    if (days === 0) return;
    for (let removed = -1; removed !== 0 && !signal.aborted;) {
      removed = 0;
      for (const { id } of await this.database.query<{ id: string }>(LIST_ABSENT, [days]))
        if (await this.database.transaction((tx) => this.removeWithin(tx, id, days))) removed++;
    }
    await this.events.delivered();
  }
}
