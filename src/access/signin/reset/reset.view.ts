import { cardPage, csrfField, errorSummary, html, untrustedText, type Frame, type Html } from '../../../edge/page/index.js';
import { HOME, paths } from '../paths.js';
import { newPasswordField, type Said } from '../register/register.view.js';

export interface ResetModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly email: string;
  readonly token: string;
  readonly fault: Said | null;
}

export function resetPage({ frame, csrf, email, token, fault }: ResetModel): Html {
  const body = html`<div class="card">
    <div class="tight">
      <h1>Choose a new password</h1>
      <p class="sub">For <b>${untrustedText(email)}</b>. It signs you out on every device and disconnects your apps.</p>
    </div>
    ${errorSummary(fault ? [{ field: 'password', text: fault.summary }] : [])}
    <form class="stack" method="post" action="${paths.reset}">
      ${csrfField(csrf)}<input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${newPasswordField(fault)}<button>Set password</button>
    </form>
  </div>`;
  return cardPage(frame, { title: 'Choose a new password', error: fault !== null, body });
}

/** @param keys the names of the API keys that still work */
export function passwordChangedPage(frame: Frame, keys: readonly string[]): Html {
  const names = keys.map((name) => html`<li>${untrustedText(name)}</li>`);
  const body = html`<div class="card">
    <h1>Password changed</h1>
    <p>You are signed out on every device, and your apps are disconnected.</p>
    ${
      keys.length > 0 &&
      html`<p>These API keys still work. Revoke those that you don’t know or don’t need:</p>
        <ul>
          ${names}
        </ul>`
    }
    <p>Webhook endpoints stay: delete those that you don’t know under <a href="${HOME}/webhooks">Webhooks</a>.</p>
    <p><a href="${paths.login}">Sign in</a></p>
  </div>`;
  return cardPage(frame, { title: 'Password changed', body });
}
