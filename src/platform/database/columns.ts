import { getMetadataArgsStorage } from 'typeorm';
import { Fragment } from './sql.js';

/** Transposes rows into one array per column, for `unnest`. */
export const columnsOf = <Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));

type Name<Row> = keyof Row & string;

/** The row that a select list of these columns returns. */
export type RowOf<Selected> = Selected extends Columns<infer Row> ? Row : never;

interface Column {
  readonly property: string;
  readonly name: string;
  /** In PostgreSQL; undefined for an array. */
  readonly type: string | undefined;
}

/** The columns of an entity's table in the order of its class, after those of a base class: the one source of select lists and inserts. */
export function columns<Row extends object>(entity: abstract new () => Row): Columns<Row> {
  const found = getMetadataArgsStorage().filterColumns([entity, Object.getPrototypeOf(entity) as abstract new () => object]);
  if (found.length === 0) throw new Error(`${entity.name} is no entity`);
  return new Columns(
    found.map(({ propertyName, options: { name = propertyName, type, array } }) => ({
      property: propertyName,
      name: word(name),
      type: typeof type === 'string' && !array ? type : undefined,
    })),
  );
}

/** Some columns of one table, in order. What it writes comes from TypeORM's metadata. */
export class Columns<Row extends object> {
  constructor(private readonly list: readonly Column[]) {}

  /** These columns only, in this order. */
  only<Kept extends Name<Row>>(...kept: readonly Kept[]): Columns<Pick<Row, Kept>> {
    return new Columns(kept.flatMap((property) => this.list.filter((column) => column.property === property)));
  }

  /** Without these columns. */
  except<Dropped extends Name<Row>>(...dropped: readonly Dropped[]): Columns<Omit<Row, Dropped>> {
    const names: readonly string[] = dropped;
    return new Columns(this.list.filter(({ property }) => !names.includes(property)));
  }

  /** A select list, each column under the name of its property: `k.id, k.user_id AS "userId"`. @param table its name in the statement */
  of(table: string): Fragment {
    return this.joined(({ name, property }) => `${word(table)}.${name}${name === property ? '' : ` AS "${property}"`}`);
  }

  /** The row as one JSON value, under the names of its properties. @param table its name in the statement */
  json(table: string): Fragment {
    return new Fragment(`jsonb_build_object(${this.joined(({ name, property }) => `'${property}', ${word(table)}.${name}`).text})`);
  }

  get length(): number {
    return this.list.length;
  }

  /** The row of these values, one a column in order; undefined if the first, the key, is NULL: an outer join has found none. */
  rowOf(values: readonly unknown[]): Row | undefined {
    if (values[0] === null || values[0] === undefined) return undefined;
    return Object.fromEntries(this.list.map(({ property }, index) => [property, values[index]])) as Row;
  }

  /** The columns' names: `id, user_id`. */
  get names(): Fragment {
    return this.joined(({ name }) => name);
  }

  /** Parameters, one a column: `$1, $2`. */
  parameters(first = 1): Fragment {
    return this.joined((_column, index) => `$${first + index}`);
  }

  /** The values of `parameters`. */
  valuesOf(row: Row): unknown[] {
    return this.list.map(({ property }) => row[property as keyof Row]);
  }

  /** Parameters, each an array of one column, for `unnest`: `$1::uuid[], $2::text[]`. */
  arrays(first = 1): Fragment {
    return this.joined(({ name, type }, index) => `$${first + index}::${word(type ?? `${name}[]`)}[]`);
  }

  /** The values of `arrays`. */
  arraysOf(rows: readonly Row[]): unknown[][] {
    return this.list.map(({ property }) => rows.map((row) => row[property as keyof Row]));
  }

  private joined(write: (column: Column, index: number) => string): Fragment {
    return new Fragment(this.list.map(write).join(', '));
  }
}

function word(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`${name} is not a name in SQL`);
  return name;
}
