import type { DataSource } from 'typeorm';
import { sql } from './sql.js';

const MISSING = sql`
  SELECT c.nth::int, to_regclass(format('%I.%I', c.schema, c.name)) IS NULL AS "noTable"
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS c (schema, name, attribute, nth)
   WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = to_regclass(format('%I.%I', c.schema, c.name)) AND a.attname = c.attribute
                        AND NOT a.attisdropped)
   ORDER BY c.nth LIMIT 1`;

/**
 * Checks that the tables of the extensions have the columns that their entities map: a forgotten migration would fail at the first query
 * of a customer, and no migration of the core is forgotten.
 * @throws Error with a sentence that names the class of the entity, the table and the column
 */
export async function checkMappedColumns(dataSource: DataSource): Promise<void> {
  const mapped = dataSource.entityMetadatas.flatMap(({ name, schema, tableName, columns }) =>
    schema === undefined ? [] : columns.map(({ databaseName }) => ({ entity: name, schema, table: tableName, column: databaseName })),
  );
  if (mapped.length === 0) return;
  const [missing] = await dataSource.query<{ nth: number; noTable: boolean }[]>(MISSING.text, [
    mapped.map(({ schema }) => schema),
    mapped.map(({ table }) => table),
    mapped.map(({ column }) => column),
  ]);
  const found = missing && mapped[missing.nth - 1];
  if (!found) return;
  const { entity, schema, table, column } = found;
  const what = missing.noTable ? `the table ${schema}.${table}` : `the column ${column} of ${schema}.${table}`;
  throw new Error(`Entity "${entity}" maps ${what}, which does not exist: no migration of its extension has created it`);
}
