import { Injectable } from '@nestjs/common';
import { RevocationPoller } from '../../edge/auth/index.js';
import { changeOne, columns, Database, fragment, sql, type Fragment, type RowOf, type Tx } from '../../platform/database/index.js';
import { Events, revocationOf } from '../../platform/events/index.js';
import { AccessPauseEntity, type PauseCause } from './access-pause.entity.js';

const PAUSE = columns(AccessPauseEntity);
/** As `isRevokedBy` reads it. */
const KEY = fragment`'paused:' || subject`;
const ALL = 'all';
const ADD = sql`INSERT INTO access_pause (subject, cause) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ${revocationOf(KEY)}`;
const END = sql`DELETE FROM access_pause WHERE subject = $1 AND cause = $2 RETURNING 1`;
const FIND = sql`SELECT ${PAUSE.of('p')} FROM access_pause p WHERE p.subject = ANY (ARRAY['all', $1]) ORDER BY p.since`;
const KEYS = sql`SELECT ${KEY} AS key FROM access_pause`;

export type AccessPauseRow = RowOf<typeof PAUSE>;

/** For look-ups of credentials. @param userId of their owner */
export const isPaused = (userId: Fragment): Fragment => fragment`user_is_paused(${userId})`;

/**
 * Stops every program that acts for a person, or for all people (null): API keys and apps are refused with `ACCESS_PAUSED` on every process
 * within a second, and their sockets close; webhooks wait. Nothing else changes, so the end of a pause restores what was. Causes are apart: a
 * person who has paused stays so when the operator resumes all.
 */
@Injectable()
export class AccessPauseService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    revocations: RevocationPoller,
  ) {
    revocations.registerKeys(KEYS);
  }

  /** @param also joins the transaction. @returns false if this cause has paused them before */
  pause(userId: string | null, cause: PauseCause, also?: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    return this.change(true, userId, cause, also);
  }

  /** @returns false if this cause has not paused them */
  resume(userId: string | null, cause: PauseCause, also?: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    return this.change(false, userId, cause, also);
  }

  /** In the caller's transaction; the caller awaits `Events.delivered` after its commit. @returns false if nothing changes */
  async setWithin(tx: Tx, userId: string | null, cause: PauseCause, isPaused: boolean): Promise<boolean> {
    return (await tx.query(isPaused ? ADD : END, [userId ?? ALL, cause])).length > 0;
  }

  /** What pauses this person, or with null all people; the oldest first. */
  find(userId: string | null): Promise<AccessPauseRow[]> {
    return this.database.query<AccessPauseRow>(FIND, [userId ?? ALL]);
  }

  private async change(isPaused: boolean, userId: string | null, cause: PauseCause, also?: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    const isChanged = await changeOne(this.database, isPaused ? ADD : END, [userId ?? ALL, cause], also);
    if (isChanged) await this.events.delivered();
    return isChanged;
  }
}
