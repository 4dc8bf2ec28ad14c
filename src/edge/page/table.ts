import { attributes, html, type Html, type HtmlValue } from './html.js';

export interface Table {
  /** For screen readers; a heading beside the table says the same to the eye. */
  readonly caption: string;
  /** Labels of the columns. On a phone each cell repeats its label; an empty one belongs to a column of buttons. */
  readonly columns: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly HtmlValue[])[];
}

const head = (label: string): Html =>
  html`<th scope="col" role="columnheader">${label === '' ? html`<span class="hide">Action</span>` : label}</th>`;

function cell(value: HtmlValue, label: string): Html {
  const shape = attributes({ role: 'cell', 'data-label': label === '' ? null : label });
  return html`<td ${shape}><div>${value}</div></td>`;
}

const row = ([name, ...cells]: readonly HtmlValue[], [, ...labels]: readonly string[]): Html =>
  html`<tr role="row">
    <th scope="row" role="rowheader">${name}</th>
    ${cells.map((value, index) => cell(value, labels[index] ?? ''))}
  </tr>`;

/** A table where it fits, and a card for each row on a phone. The roles keep its meaning there, where `display` would take it away. */
export const table = ({ caption, columns, rows }: Table): Html =>
  html`<table role="table">
    <caption class="hide">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(head)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((each) => row(each, columns))}
    </tbody>
  </table>`;
