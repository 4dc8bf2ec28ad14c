/** A text that spreadsheets read as a formula, which may send the file's contents elsewhere. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * The same inside of a text. Many spreadsheets divide a file at semicolons or tabs: to them a quote behind a comma hides neither a separator nor
 * a line break, and a formula may begin behind each.
 */
const INNER_FORMULA = /([;\t\r\n]"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A cell: text that another person may have written, or a value of the server's own, such as a negative amount. */
export type CsvCell = { readonly text: string | null } | string | number;

function cellOf(cell: CsvCell): string {
  if (typeof cell === 'string' || typeof cell === 'number') return String(cell);
  const text = (cell.text ?? '').replace(INNER_FORMULA, "$1'");
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A line by RFC 4180. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;
