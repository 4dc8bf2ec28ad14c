import {
  alert,
  cardPage,
  csrfField,
  errorSummary,
  field,
  html,
  inWords,
  untrustedText,
  type Frame,
  type Html,
} from '../../../edge/page/index.js';
import { paths } from '../paths.js';

export interface ForgotModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly email: string;
  /** A number: seconds until this network may ask again. */
  readonly fault: 'email' | number | null;
}

const MALFORMED = 'Enter an e-mail address, for example name@example.com.';

export function forgotPage({ frame, csrf, email, fault }: ForgotModel): Html {
  const error = fault === 'email' ? MALFORMED : null;
  const slow = typeof fault === 'number' && alert('Too many requests from your network', html`<p>Try again ${inWords(fault)}.</p>`);
  const body = html`<div class="card">
    <div class="tight">
      <h1>Forgot your password?</h1>
      <p class="sub">We send a link to your e-mail address. Your second factor stays: you’ll need it to sign in.</p>
    </div>
    ${errorSummary(error === null ? [] : [{ field: 'email', text: 'Enter your e-mail' }])} ${slow}
    <form class="stack" method="post" action="${paths.forgot}">
      ${csrfField(csrf)}
      ${field({ name: 'email', label: 'E-mail', type: 'email', value: email, error, autocomplete: 'username', required: true })}
      <button>Send link</button>
    </form>
    <p><a href="${paths.login}">Back to sign in</a></p>
  </div>`;
  return cardPage(frame, { title: 'Forgot your password?', error: fault !== null, body });
}

export function forgotSentPage(frame: Frame, email: string): Html {
  const body = html`<div class="card">
    <h1>Check your mail</h1>
    <p>If there is an account for <b>${untrustedText(email, 254)}</b>, a link is on its way. It works once, for an hour.</p>
    <p>Nothing came? Look among unwanted mail, and check the address.</p>
    ${frame.banner === 'demo' && html`<p>A demo shows its mail <a href="/demo/mail">on this page</a>.</p>`}
    <p><a href="${paths.login}">Back to sign in</a></p>
  </div>`;
  return cardPage(frame, { title: 'Check your mail', body });
}
