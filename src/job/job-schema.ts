import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { sql, type LibraryMigration } from '../database/index.js';
import { libraryOptions } from './library-options.js';

/** The PostgreSQL schema of graphile-worker. The statements of `JobStore` name it too. */
export const JOB_SCHEMA = 'sluice_job';

const STATE = sql`
  SELECT current_schema() AS core, to_regnamespace('sluice_job') IS NOT NULL AS "exists", to_regclass('sluice_job.migrations') IS NOT NULL AS "isMade",
         o.owner, to_regclass(quote_ident(o.owner) || '.event_position') IS NOT NULL AS "ownerExists", quote_ident(current_user) AS role,
         quote_ident(current_database()) AS database, has_database_privilege(current_database(), 'CREATE') AS "mayCreate"
    FROM (SELECT substring(obj_description(to_regnamespace('sluice_job'), 'pg_namespace') FROM '"(.*)"') AS owner) o`;

interface SchemaState {
  readonly core: string;
  readonly exists: boolean;
  readonly isMade: boolean;
  /** The schema of the Sluice whose jobs these are; null if the schema has no comment of ours. */
  readonly owner: string | null;
  /** False: that schema was renamed, or is gone. */
  readonly ownerExists: boolean;
  readonly role: string;
  readonly database: string;
  readonly mayCreate: boolean;
}

/** graphile-worker's own migrations. It creates the schema itself only where the role may create schemas. */
export const jobTables: LibraryMigration = {
  name: 'the tables of jobs',
  async migrate(pool: pg.Pool) {
    const { rows } = await pool.query<SchemaState>(STATE.text);
    const [found] = rows;
    if (!found) throw new Error('PostgreSQL reported no schema');
    if (found.isMade && found.owner !== null && found.owner !== found.core && found.ownerExists)
      throw new Error(
        `The jobs in the schema ${JOB_SCHEMA} belong to the Sluice whose tables are in the schema "${found.owner}", and these are in "${found.core}". Give each Sluice a database of its own`,
      );
    if (!found.isMade) await prepareSchema(pool, found);
    else if (found.owner !== null && found.owner !== found.core) await pool.query(ownedBy(found.core));
    // The library warns of a pool without such a listener.
    if (pool.listenerCount('connect') === 0) pool.on('connect', () => undefined);
    await runMigrations({ ...libraryOptions(), pgPool: pool, schema: JOB_SCHEMA });
  },
};

const ownedBy = (core: string): string =>
  `COMMENT ON SCHEMA ${JOB_SCHEMA} IS 'Jobs of the Sluice whose tables are in the schema "${core.replaceAll("'", "''")}"';`;

/** What the library would create first: `CREATE SCHEMA IF NOT EXISTS` needs the right to create schemas even if the schema exists. */
async function prepareSchema(pool: pg.Pool, { exists, core, role, database, mayCreate }: SchemaState): Promise<void> {
  if (!exists && !mayCreate)
    throw new Error(
      `The role ${role} may not create the schema of jobs. Run as an administrator: CREATE SCHEMA ${JOB_SCHEMA} AUTHORIZATION ${role}; or GRANT CREATE ON DATABASE ${database} TO ${role};`,
    );
  await pool.query(`BEGIN; ${exists ? '' : `CREATE SCHEMA ${JOB_SCHEMA}; ${ownedBy(core)}`}
    CREATE TABLE ${JOB_SCHEMA}.migrations (id int PRIMARY KEY, ts timestamptz NOT NULL DEFAULT now(), breaking boolean NOT NULL DEFAULT false); COMMIT`);
}
