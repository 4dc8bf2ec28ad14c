import type pg from 'pg';
import { AdvisoryLock, sql, type DatabaseOptions } from '../database/index.js';
import type { Log } from '../logging/index.js';

const EVENT_CONNECTIONS = 1;

/** Marks the process, so that others can count it. */
const JOIN = sql`SELECT pg_advisory_lock_shared(${AdvisoryLock.processes}, 0)`;
/** -1 is no limit. Settings that an older server lacks are null. */
const FIND = sql`
  SELECT least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true)::int, 0), nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) AS available,
         (SELECT count(*)::int FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${AdvisoryLock.processes} AND l.objid = 0 AND l.objsubid = 2
             AND l.granted AND l.database = d.oid) AS processes
    FROM pg_database d JOIN pg_roles r ON r.rolname = current_user WHERE d.datname = current_database()`;

interface Found {
  readonly available: number;
  readonly processes: number;
}

/**
 * @param onFound gets the number of processes on the database, this one included
 * @returns a function that reports once, by a session that lives as long as the process does
 */
export function connectionBudget(
  { poolSize, directConnection }: DatabaseOptions,
  log: Log,
  onFound: (processes: number) => void,
): (session: pg.Client) => Promise<void> {
  let isReported = false;
  return async (session) => {
    await session.query(JOIN.text);
    if (isReported) return;
    const [found] = (await session.query<Found>(FIND.text)).rows;
    if (!found) return;
    isReported = true;
    const { available, processes } = found;
    onFound(processes);
    // Through a pooler in transaction mode the work uses the connections of the pooler, whatever their number.
    const connections = EVENT_CONNECTIONS + (directConnection ? 0 : poolSize);
    const fields = { work: poolSize, events: EVENT_CONNECTIONS, connections, processes, available };
    const text = `${poolSize} for work${directConnection ? ' (to the pooler)' : ''}, ${EVENT_CONNECTIONS} for events`;
    log.info(
      'database_connection_budget',
      fields,
      `Database connections of this process: ${text}; ${processes} processes on this database, which offers ${available}`,
    );
    if (connections * processes > available)
      log.warn(
        'database_connections_scarce',
        fields,
        `${processes} processes may open ${connections * processes} connections, and the database offers ${available}`,
      );
  };
}
