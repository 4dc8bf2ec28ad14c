import pg from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The pool of an open DataSource: the only one of the process, for TypeORM and for `Database` alike. */
export function poolOf({ driver }: DataSource): pg.Pool {
  const pool: unknown = driver instanceof PostgresDriver ? driver.master : undefined;
  if (!(pool instanceof pg.Pool)) throw new Error('The DataSource has no pool of PostgreSQL connections');
  return pool;
}
