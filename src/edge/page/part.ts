import { attributes, html, type Html, type HtmlValue } from './html.js';
import { untrustedText, outsideText } from './untrusted-text.js';
import { qr } from './qr.js';

/** The meaning of a colour. `money` has one meaning only: another party than the person present may move money. */
export type Tone = 'good' | 'wait' | 'bad' | 'money' | 'plain';

/** The word carries the meaning; the colour only supports it. */
export const badge = (text: string, tone?: Tone): Html => html`<span class="${tone ? `badge ${tone}` : 'badge'}">${text}</span>`;

/** A message on the page. */
export const notice = (body: HtmlValue, tone?: 'good' | 'bad' | 'money'): Html =>
  html`<div class="${tone ? `notice ${tone}` : 'notice'}">${body}</div>`;

export type Fact = readonly [term: string, value: HtmlValue];

/** Terms and values. Empty entries are left out. */
export function facts(entries: readonly (Fact | null | false)[]): Html {
  const list = entries.map(
    (entry) =>
      entry &&
      html`<div>
        <dt>${entry[0]}</dt>
        <dd>${entry[1]}</dd>
      </div>`,
  );
  return html`<dl class="facts">${list}</dl>`;
}

export interface Headline {
  readonly title: HtmlValue;
  readonly back?: { readonly href: string; readonly label: HtmlValue };
  readonly sub?: Html | string | null;
  readonly action?: Html | null;
}

/** The top of a signed-in page: link back, `h1`, subtitle, action. */
export function headline({ title, back, sub, action }: Headline): Html {
  const up = back && html`<p><a href="${back.href}">${back.label}</a></p>`;
  const below = sub && html`<div class="sub">${sub}</div>`;
  return html`<div class="line apart">
    <div class="tight">
      ${up}
      <h1>${title}</h1>
      ${below}
    </div>
    ${action}
  </div>`;
}

/** The first letter of a name on a coloured square; decorative, because the name is beside it. */
function tile(name: string): Html {
  const first = Array.from(outsideText(name).replace(/[^\p{L}\p{N}]/gu, ''))[0] ?? '?';
  return html`<span class="tile" aria-hidden="true">${first.toLocaleUpperCase('en')}</span>`;
}

export const who = (name: string, body: HtmlValue): Html =>
  html`<div class="who">
    ${tile(name)}
    <div class="tight">${body}</div>
  </div>`;

const CHECK = 'M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0Zm2.9 5.2L7 9.1 5.1 7.2 4 8.3l3 3 5-5Z';

/** Only if the operator has checked who runs the app. Other apps get no badge. */
export const verifiedBadge: Html = html`<span class="badge good"
  ><svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${CHECK}" /></svg
  >Verified</span
>`;

/** Seen across a counter; the words beside it say the same. */
export const doneSign: Html = html`<svg class="in" width="88" height="88" viewBox="0 0 16 16" aria-hidden="true">
  <path fill="currentColor" fill-rule="evenodd" d="${CHECK}" />
</svg>`;

export interface AppHead {
  readonly name: string;
  /** The operator has checked who runs it. */
  readonly verified: boolean;
  /** Host of its callback URL, or the scheme of a native app. */
  readonly host: string;
}

export const appHead = ({ name, verified, host }: AppHead): Html =>
  who(
    name,
    html`<p class="line"><b>${untrustedText(name)}</b> ${verified && verifiedBadge}</p>
      <p class="sub">${untrustedText(host)}</p>`,
  );

/** A button that copies the text of the element `id`. Hidden until the script, which does the copying, reveals it. */
export const copyButton = (id: string, what: string): Html =>
  html`<button type="button" class="quiet small" data-copy="${id}" hidden>Copy<span class="hide"> ${what}</span></button>`;

export const secret = (id: string, value: HtmlValue, what: string): Html =>
  html`<div class="secret"><code id="${id}">${value}</code>${copyButton(id, what)}</div>`;

/** A command line that breaks at its spaces only: a line that ended in the hyphen of an option would be unreadable. */
export const commandLine = (text: string): Html =>
  html`${text.split(/( )/).map((part) => (part === ' ' ? part : html`<span>${part}</span>`))}`;

/** Says what will appear here, and the one action that leads to it. */
export const empty = (title: string, text: string, action: Html | null = null): Html =>
  html`<div class="empty stack">
    <div class="tight">
      <p><b>${title}</b></p>
      <p class="sub">${text}</p>
    </div>
    ${action && html`<p>${action}</p>`}
  </div>`;

export const pair = (one: Html, other: Html): Html => html`<div class="pair">${one}${other}</div>`;

/** A link that looks like a button: it navigates, and never changes anything. */
export const buttonLink = (href: string, label: HtmlValue, look?: 'quiet' | 'quiet small'): Html =>
  html`<a ${attributes({ class: look ? `button ${look}` : 'button', href })}>${label}</a>`;

export const qrBeside = (value: string, label: string, body: Html): Html =>
  html`<div class="who">
    ${qr({ value, label, mini: true })}
    <div class="tight">${body}</div>
  </div>`;

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

/** @param sub below the heading @param id of the card, which links lead to */
export function card(heading: string, content: HtmlValue, { sub, id }: { readonly sub?: HtmlValue; readonly id?: string } = {}): Html {
  const title = html`<h2>${heading}</h2>`;
  const top =
    sub === undefined
      ? title
      : html`<div class="tight">
          ${title}
          <p class="sub">${sub}</p>
        </div>`;
  return html`<section ${attributes({ class: 'card', id })}>${top}${content}</section>`;
}
