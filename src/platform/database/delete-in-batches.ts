import type { Database } from './database.js';
import type { Statement } from './sql.js';

/** Rows of one statement, so that none is long and none holds many locks. Use it as the LIMIT. */
export const DELETED_AT_ONCE = 500;

/** Repeats a deletion that ends with `RETURNING 1` until it deletes fewer rows than its limit, `DELETED_AT_ONCE`, or the signal is aborted. */
export async function deleteInBatches(
  database: Pick<Database, 'query'>,
  statement: Statement,
  values: readonly unknown[] = [],
  signal?: AbortSignal,
): Promise<void> {
  while ((await database.query(statement, [...values])).length === DELETED_AT_ONCE && !signal?.aborted);
}
