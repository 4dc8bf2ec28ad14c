import { alert, appHead, cardPage, csrfField, field, html, passkeyForm, type Html } from '../../../edge/page/index.js';
import { PASSKEY_REFUSED, type LoginModel } from './login.view.js';

export type CodeRefusal = { readonly kind: 'wrong' } | { readonly kind: 'slow' } | { readonly kind: 'passkey' };

export interface CodeModel extends Pick<LoginModel, 'frame' | 'csrf' | 'action' | 'app' | 'passkey'> {
  readonly startAgainHref: string;
  readonly refusal: CodeRefusal | null;
}

export function codeRefusalNotice({ kind }: CodeRefusal): Html {
  if (kind === 'passkey') return PASSKEY_REFUSED;
  if (kind === 'wrong')
    return alert('Wrong or used code', html`<p>Enter the code that your app shows <a href="#code">now</a>. Each code works once.</p>`);
  return alert('Too many wrong codes', html`<p>Wait before you try again. Browsers where you are signed in stay signed in.</p>`);
}

/** No numeric keyboard: a recovery code has letters. */
export const codeField: Html = field({
  name: 'code',
  label: 'Code',
  hint: 'The 6 digits that your authenticator app shows, or one of your recovery codes.',
  autocomplete: 'one-time-code',
  required: true,
  verbatim: true,
});

export function codePage(model: CodeModel): Html {
  const body = html`<div class="card">
    <h1>Enter your code</h1>
    ${model.app && appHead(model.app)} ${model.refusal && codeRefusalNotice(model.refusal)}
    <form class="stack" method="post" action="${model.action}">${csrfField(model.csrf)} ${codeField}<button>Continue</button></form>
    ${passkeyForm({ ...model, ...model.passkey, button: 'Use a passkey' })}
    <p class="sub">Lost your factor and your recovery codes? Ask the operator of this server to reset it.</p>
    <p><a href="${model.startAgainHref}">Start again</a></p>
  </div>`;
  return cardPage(model.frame, { title: 'Enter your code', error: model.refusal !== null, body });
}
