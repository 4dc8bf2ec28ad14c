import { csrfField, errorSummary, facts, field, headline, html, shellPage, type Html, type ShellFrame } from '../../../src/index.js';
import type { TipSummary } from './tipping.service.js';

/** What a person must type to delete the tips. */
export const FORGET = 'forget';

/** A refused form, shown again with what the person typed. */
export interface RefusedForm {
  readonly word: string;
  readonly error: string;
}

/** Values in `html` are escaped; `frame.csrf` is what every form needs. */
export function tipsPage(frame: ShellFrame, { count, sats }: TipSummary, refused: RefusedForm | null = null): Html {
  const body = html`${headline({ title: 'Tips' })} ${errorSummary(refused ? [{ field: 'word', text: refused.error }] : [])}
    <section class="card">
      ${facts([
        ['Tips received', count],
        ['Together', html`${sats.toLocaleString('en')} sats`],
      ])}
      <form method="post" action="/tips/forget">
        ${csrfField(frame.csrf)}${field({
          name: 'word',
          label: `To start counting anew, type ${FORGET}`,
          value: refused?.word ?? '',
          error: refused?.error ?? null,
          autocomplete: 'off',
          verbatim: true,
        })}
        <button class="quiet">Start counting anew</button>
      </form>
    </section>`;
  return shellPage(frame, { title: 'Tips', currentEntry: '/tips', error: refused !== null, body });
}
