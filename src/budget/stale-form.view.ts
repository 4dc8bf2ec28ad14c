import { alert, html, untrustedText, type Html } from '../page/index.js';
import type { EnteredLimit } from './shown-limits.js';
import { WINDOW_NAMES } from './typed-limit.js';

/** A form that is older than a change of the limits elsewhere. */
export interface StaleForm {
  /** Whose limits it has. */
  readonly kind: 'key' | 'app';
  /** What did not happen. */
  readonly title: string;
  readonly entered: readonly EnteredLimit[];
  /** A sentence; the person need not do anything without it. */
  readonly remedy: string | null;
}

const enteredText = (text: string): Html | string => (text === '' ? 'no limit' : html`“${untrustedText(text)}”`);

/** The limits were changed elsewhere while the form was open. */
export function staleNotice({ kind, title, entered, remedy }: StaleForm): Html {
  const lines = entered.map(([window, text]) => html`<li>Limit for ${WINDOW_NAMES[window]}: you entered ${enteredText(text)}.</li>`);
  const list = html`<ul class="tight">
    ${lines}
  </ul>`;
  return alert(
    title,
    html`<p>
        The limits of this ${kind} were changed elsewhere while this page was open. The form shows them as they are
        now.${remedy !== null && ` ${remedy}`}
      </p>
      ${lines.length > 0 && list}`,
  );
}
