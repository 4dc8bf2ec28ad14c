import {
  alert,
  buttonLink,
  csrfField,
  field,
  html,
  passkeyForm,
  shellPage,
  untrustedText,
  type Html,
  type ShellFrame,
} from '../../../edge/page/index.js';
import { companyButton, type CompanyLink } from '../company-button.js';
import { codeField, codeRefusalNotice, type CodeRefusal } from '../login/code.view.js';

export interface ConfirmModel {
  readonly frame: ShellFrame;
  readonly action: string;
  readonly backHref: string;
  /** Without a factor the person types the password. */
  readonly hasFactor: boolean;
  readonly refusal: CodeRefusal | null;
  /** The options of the ceremony, as JSON; null for a person without a passkey. */
  readonly passkey: string | null;
  /** Another way for a person without a factor. */
  readonly company: CompanyLink | null;
  readonly passwordsWork: boolean;
}

function refusalNotice({ refusal, hasFactor }: ConfirmModel): Html | null {
  if (refusal === null) return null;
  if (hasFactor) return codeRefusalNotice(refusal);
  if (refusal.kind === 'wrong') return alert('Wrong password', html`<p>Please <a href="#password">try again</a>.</p>`);
  return alert('Too many wrong passwords', html`<p>Wait before you try again. You stay signed in.</p>`);
}

export function confirmPage(model: ConfirmModel): Html {
  const { frame, hasFactor, refusal, passkey } = model;
  const password = html`<input type="hidden" name="email" value="${frame.email}" autocomplete="username" />
    ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true })}`;
  const body = html`<h1>Confirm that it’s you</h1>
    ${refusalNotice(model)}
    <form class="card" method="post" action="${model.action}">
      ${csrfField(frame.csrf)}
      <p>You are signed in as <b>${untrustedText(frame.email)}</b>. What follows needs a proof from the last minutes.</p>
      ${model.company && companyButton(model.company)} ${hasFactor ? codeField : model.passwordsWork && password}
      <div class="line">
        ${(hasFactor || model.passwordsWork) && html`<button>Continue</button>`}${buttonLink(model.backHref, 'Cancel', 'quiet')}
      </div>
    </form>
    ${
      passkey !== null &&
      html`<div class="card">${passkeyForm({ ...frame, options: passkey, action: model.action, button: 'Use a passkey' })}</div>`
    }`;
  return shellPage(frame, { title: 'Confirm that it’s you', currentEntry: null, error: refusal !== null, body });
}
