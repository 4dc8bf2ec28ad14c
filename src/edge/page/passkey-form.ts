import { ASSETS } from './assets.js';
import { csrfField } from './field.js';
import { html, type Html } from './html.js';

/** What the browser needs for a ceremony with a passkey. */
export interface PasskeyAsked {
  /** Of WebAuthn, as JSON. */
  readonly options: string;
  /** For this response's Content-Security-Policy. */
  readonly nonce: string;
}

interface PasskeyForm extends PasskeyAsked {
  readonly action: string;
  readonly csrf: string;
  readonly button: string;
  /** Before the button. */
  readonly fields?: Html;
}

/** Hidden until its script, which fills it in, reveals it. */
export const passkeyForm = ({ options, nonce, action, csrf, button, fields }: PasskeyForm): Html =>
  html`<form class="stack" method="post" action="${action}" data-passkey="${options}" hidden>
      ${csrfField(csrf)}<input type="hidden" name="response" />${fields ?? null}
      <button type="button" class="quiet">${button}</button>
      <p class="error" role="status" hidden>No passkey was used. Try again, or continue without one.</p>
    </form>
    <script type="module" src="${ASSETS.passkey.href}" nonce="${nonce}"></script>`;
