/** Transposes rows into one array per column, for `unnest`. */
export const columnsOf = <Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));
