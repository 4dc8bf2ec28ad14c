import { csrfField, facts, headline, html, shellPage, type Html, type ShellFrame } from '../../../src/index.js';
import type { TipSummary } from './tipping.service.js';

/** Values in `html` are escaped; `frame.csrf` is what every form needs. */
export function tipsPage(frame: ShellFrame, { count, sats }: TipSummary): Html {
  const body = html`${headline({ title: 'Tips' })}
    <section class="card">
      ${facts([
        ['Tips received', count],
        ['Together', html`${sats.toLocaleString('en')} sats`],
      ])}
      <form method="post" action="/tips/forget">
        ${csrfField(frame.csrf)}<button class="quiet" name="what" value="all">Start counting anew</button>
      </form>
    </section>`;
  return shellPage(frame, { title: 'Tips', currentEntry: '/tips', body });
}
