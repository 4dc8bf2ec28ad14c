import { Injectable } from '@nestjs/common';
import { Database, DELETED_AT_ONCE, deleteInBatches, fragment, queryOne, sql, type Statement } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { SigningKeys } from './key/signing-keys.js';

const EVERY_SECONDS = 60;

const SOME = fragment`LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED`;
/** Ended requests are kept for a day, so that a person who returns to one sees how it ended. */
const OVER = fragment`x.expires_at < now() - interval '1 day'`;

const SWEEPS: readonly Statement[] = [
  sql`DELETE FROM oauth_interaction WHERE id IN (SELECT x.id FROM oauth_interaction x WHERE ${OVER} ${SOME}) RETURNING 1`,
  sql`DELETE FROM oauth_pushed_request WHERE hash IN (SELECT x.hash FROM oauth_pushed_request x WHERE x.expires_at < now() ${SOME}) RETURNING 1`,
  sql`DELETE FROM oauth_assertion WHERE hash IN (SELECT x.hash FROM oauth_assertion x WHERE x.expires_at < now() ${SOME}) RETURNING 1`,
  sql`DELETE FROM oauth_code WHERE hash IN (SELECT x.hash FROM oauth_code x WHERE ${OVER} ${SOME}) RETURNING 1`,
  sql`DELETE FROM oauth_access_token WHERE hash IN (SELECT x.hash FROM oauth_access_token x WHERE ${OVER} ${SOME}) RETURNING 1`,
  // Deletes the refresh tokens too, used ones included: while the family lives, they reveal a stolen token.
  sql`DELETE FROM oauth_grant WHERE id IN (SELECT x.id FROM oauth_grant x WHERE x.absolute_expires_at < now() - interval '30 days' ${SOME}) RETURNING 1`,
  sql`DELETE FROM oauth_grant WHERE id IN (SELECT x.id FROM oauth_grant x WHERE x.revoked_at < now() - interval '30 days' ${SOME}) RETURNING 1`,
  // Every sign-in through an app creates a grant. Without `offline` it soon serves as prior consent only; of several that cover the same,
  // the newest suffices.
  sql`DELETE FROM oauth_grant WHERE id IN (
        SELECT x.id FROM oauth_grant x
         WHERE x.created_at < now() - interval '30 days' AND x.revoked_at IS NULL
           AND NOT x.scopes && ARRAY['offline', 'offline_access']
           AND NOT EXISTS (SELECT FROM oauth_access_token t WHERE t.grant_id = x.id)
           AND EXISTS (SELECT FROM oauth_grant newer
                        WHERE newer.user_id = x.user_id AND newer.client_id = x.client_id AND newer.revoked_at IS NULL AND newer.created_at > x.created_at
                          AND newer.scopes @> x.scopes AND newer.audience IS NOT DISTINCT FROM x.audience AND newer.absolute_expires_at >= x.absolute_expires_at
                          AND newer.write_asked_at IS NOT DISTINCT FROM greatest(newer.write_asked_at, x.write_asked_at)) ${SOME}) RETURNING 1`,
  // Apps that were not registered and are not used, unless the operator has decided something about them.
  sql`WITH unused AS (
        DELETE FROM oauth_application WHERE id IN (
          SELECT x.id FROM oauth_application x LEFT JOIN oauth_client c ON c.id = x.id
           WHERE x.id LIKE 'https://%' AND (x.submitted_at IS NULL AND c.state = 'approved' AND x.updated_at < now() - interval '1 day'
                                              AND NOT EXISTS (SELECT FROM operator_action a WHERE a.subject = x.id AND a.action <> 'client apply')
                                            OR x.state = 'waiting' AND x.submitted_at < now() - interval '30 days' AND c.id IS NULL)
             AND NOT EXISTS (SELECT FROM oauth_grant g WHERE g.client_id = x.id)
             AND NOT EXISTS (SELECT FROM oauth_interaction i WHERE i.client_id = x.id)
             AND NOT EXISTS (SELECT FROM oauth_pushed_request p WHERE p.client_id = x.id)
           LIMIT ${DELETED_AT_ONCE} FOR UPDATE OF x SKIP LOCKED) RETURNING id),
           client AS (DELETE FROM oauth_client c USING unused WHERE c.id = unused.id)
      SELECT FROM unused`,
  sql`UPDATE oauth_refresh_token SET replay_blob = NULL
       WHERE hash IN (SELECT x.hash FROM oauth_refresh_token x WHERE x.replay_blob IS NOT NULL AND x.replay_until < now() ${SOME}) RETURNING 1`,
];

const OLDEST = sql`SELECT coalesce(greatest(extract(epoch FROM now() - interval '1 day' - min(expires_at)), 0), 0)::float8 AS seconds FROM oauth_access_token`;

@Injectable()
export class OAuthCleanupJob {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
    jobs: Jobs,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'sluice_oauth_cleanup_delay_seconds',
      'How long the oldest ended access token should have been deleted',
      async () => (await queryOne<{ seconds: number }>(database, OLDEST)).seconds,
    );
    jobs.schedule('oauth_cleanup', { everySeconds: EVERY_SECONDS }, ({ signal }) => this.sweep(signal), {
      limitSeconds: 10 * EVERY_SECONDS,
    });
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    for (const statement of SWEEPS) await deleteInBatches(this.database, statement, [], signal);
    await this.keys.rotate();
  }
}
