/** Literals of a composite type, for `$1::type[]`: one row each, with the type's fields in their order. */
export const recordsOf = <Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): string[] =>
  rows.map((row) => `(${names.map((name) => fieldOf(row[name])).join(',')})`);

/** NULL is nothing between two commas; an empty text is a pair of quotes. */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
