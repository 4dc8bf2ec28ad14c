import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CredentialUsage, MAX_CALLS, type LoggedCall } from '../../edge/auth/index.js';
import { columns, columnsOf, Database, DELETED_AT_ONCE, deleteInBatches, sql, type RowOf } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';
import { CredentialCallEntity } from './credential-call.entity.js';

const CALL = columns(CredentialCallEntity).except('owner', 'line', 'kind');
export type CallRow = RowOf<typeof CALL>;

// Times are passed as ages: the stored time is the database's. Rows in one order, and locked ones left out, so that processes cannot deadlock.
const STORE = sql`WITH c AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::int[], $8::text[], $9::text[], $10::int[])
                         AS c (owner, line, kind, age, operation, outcome, cost, sent, registered, count)),
              kept AS (INSERT INTO credential_call AS o (owner, line, kind, at, operation, outcome, cost, sent, registered, count)
                       SELECT owner, line, kind, now() - make_interval(secs => age), operation, outcome, cost, sent, registered, count FROM c ORDER BY owner, line
                       ON CONFLICT (owner, line) DO UPDATE SET at = greatest(o.at, excluded.at), sent = excluded.sent, registered = excluded.registered,
                         count = least(o.count::bigint + excluded.count, 2147483647)::int),
              ranked AS (SELECT o.owner, o.line, n.new + row_number() OVER (PARTITION BY o.owner ORDER BY o.at DESC, o.line DESC) AS rank
                           FROM credential_call o JOIN (SELECT owner, count(*) AS new FROM c GROUP BY owner) AS n USING (owner)
                          WHERE NOT EXISTS (SELECT FROM c WHERE c.owner = o.owner AND c.line = o.line)),
              over AS (SELECT d.owner, d.line FROM credential_call d JOIN ranked r USING (owner, line) WHERE r.rank > ${MAX_CALLS} FOR UPDATE OF d SKIP LOCKED)
         DELETE FROM credential_call d USING over WHERE d.owner = over.owner AND d.line = over.line`;
const LIST = sql`SELECT ${CALL.of('c')} FROM credential_call c WHERE c.owner = ANY ($1) AND c.kind = $2 AND (c.kind = 'api-key' OR c.at > now() - interval '1 day')
          ORDER BY c.at DESC, c.line DESC LIMIT ${MAX_CALLS}`;
const SWEEP = sql`DELETE FROM credential_call WHERE (owner, line) IN (
         SELECT c.owner, c.line FROM credential_call c
          WHERE c.at < now() - interval '1 day'
            AND (c.kind = 'client' OR NOT EXISTS (SELECT FROM api_key k WHERE k.id::text = c.owner AND k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)))
          LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;
const SWEEP_SECONDS = 3_600;

/** The latest calls of API keys, and why requests of apps were refused, for their owners. */
@Injectable()
export class CallService implements OnModuleInit {
  constructor(
    private readonly usage: CredentialUsage,
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.schedule('credential_call_cleanup', { everySeconds: SWEEP_SECONDS, atStart: true }, ({ signal }) => this.sweep(signal));
  }

  onModuleInit(): void {
    this.usage.storeCallsBy((calls) => this.store(calls));
  }

  /** The newest first. @param ids of keys or clients that belong to the person who asks */
  async list(kind: LoggedCall['kind'], ids: readonly string[]): Promise<CallRow[]> {
    await this.usage.flush();
    return this.database.query<CallRow>(LIST, [ids, kind]);
  }

  /** Those of apps after a day, those of keys a day after the key has ended. */
  async sweep(signal?: AbortSignal): Promise<void> {
    await deleteInBatches(this.database, SWEEP, [], signal);
  }

  private async store(calls: readonly LoggedCall[]): Promise<void> {
    const now = Date.now();
    const rows = calls.map((call) => ({ ...call, age: (now - call.at) / 1000 }));
    const values = columnsOf(rows, 'owner', 'line', 'kind', 'age', 'operation', 'outcome', 'cost', 'sent', 'registered', 'count');
    await this.database.query(STORE, values);
  }
}
