import { changedLimitText, type ChangedLimit } from '../../budget/index.js';
import { alert, html, notice, type Html } from '../../page/index.js';

const UNKNOWN = html`<p>The form did not say which limits you saw. It shows those of now: change them again.</p>`;

/**
 * Above a form that was older than a change elsewhere.
 * @param isAlert this form was just sent and has no other errors: a page has one alert
 */
export function staleNotice(kind: 'key' | 'app', elsewhere: readonly ChangedLimit[], isAlert: boolean): Html {
  const changes = html`<p>Since you opened this page, limits of this ${kind} were changed elsewhere:</p>
    <ul class="tight">
      ${elsewhere.map((change) => html`<li>${changedLimitText(change)}</li>`)}
    </ul>
    <p>Fields that you changed show what you entered, the others what applies now. Check them and save again.</p>`;
  const text = elsewhere.length > 0 ? changes : UNKNOWN;
  return isAlert ? alert('Nothing was saved', text) : notice(text);
}
