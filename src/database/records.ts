type Scalar = string | number | bigint | boolean | Date | null | undefined;

/** Literals of a composite type, for `$1::type[]`: one row each, with the type's fields in their order. */
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
