import { html, type Html } from '../../page/index.js';
import { paths } from '../paths.js';

/** What the limits of the account leave, above a form that moves money; nothing without a limit. */
export const limitLines = (limits: readonly Html[]): Html | null =>
  limits.length === 0
    ? null
    : html`<div class="tight">
        ${limits.map((sentence) => html`<p class="sub">${sentence}</p>`)}
        <p class="sub"><a href="${paths.account}#limits">Your limits</a></p>
      </div>`;
