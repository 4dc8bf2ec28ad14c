import type { AfterRestore } from '../../platform/backup/index.js';
import { sql } from '../../platform/database/index.js';

/** Marks a restored database as a copy: no server sends from it before it has been compared with the node. */
export const AFTER_RESTORE: AfterRestore = {
  check: sql`SELECT to_regprocedure('database_mark_forget()') IS NOT NULL AS ok`,
  run: sql`SELECT database_mark_forget()`,
};
