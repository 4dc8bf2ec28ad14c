import { html, type Html } from '../../page/index.js';
import type { AccountFlow } from '../../wallet/index.js';
import { paths } from '../paths.js';

/**
 * What the limits of the account leave, above a form that moves money; nothing without a limit.
 * @param refusing the limit that an error of the form states, and these lines do not
 */
export const limitLines = (limits: readonly Html[], refusing?: AccountFlow): Html | null =>
  limits.length === 0 && refusing === undefined
    ? null
    : html`<div class="tight">
        ${limits.map((sentence) => html`<p class="sub">${sentence}</p>`)}
        <p class="sub"><a href="${paths.account}#limits">Your limits</a></p>
      </div>`;
