type Scalar = string | number | bigint | boolean | Date | null | undefined;

/** A composite type of the database with its fields in their order, which `statements.spec` compares with the database. */
export interface CompositeType<Field extends string> {
  readonly name: string;
  readonly fields: readonly Field[];
  records(rows: readonly Readonly<Record<Field, Scalar>>[]): string[];
}

export const compositeType = <Field extends string>(name: string, ...fields: readonly Field[]): CompositeType<Field> => ({
  name,
  fields,
  records: (rows) => recordsOf(rows, ...fields),
});

export const recordsOf = <Name extends string>(
  rows: readonly Readonly<Partial<Record<Name, Scalar>>>[],
  ...names: readonly Name[]
): string[] => rows.map((row) => `(${names.map((name) => fieldOf(row[name])).join(',')})`);

/** NULL is nothing between two commas; an empty text is a pair of quotes. */
function fieldOf(value: Scalar): string {
  if (value === null || value === undefined) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
