/** A text that spreadsheets read as a formula, which may send the file's contents elsewhere. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A cell: text that another person may have written, or a value of the server's own, such as a negative amount. */
export type CsvCell = { readonly text: string | null } | string | number;

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'string' || typeof cell === 'number') return String(cell);
  const text = cell.text ?? '';
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A line by RFC 4180. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;
