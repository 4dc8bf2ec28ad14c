import { cardPage, csrfField, errorSummary, html, untrustedText, type Frame, type Html } from '../../../edge/page/index.js';
import { HOME, paths } from '../paths.js';
import { endBox } from '../ended-credentials.js';
import { newPasswordField, type Said } from '../register/register.view.js';

export interface ResetModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly email: string;
  readonly token: string;
  readonly fault: Said | null;
  /** The boxes that are ticked. */
  readonly ended: readonly string[];
}

export function resetPage({ frame, csrf, email, token, fault, ended }: ResetModel): Html {
  const body = html`<div class="card">
    <div class="tight">
      <h1>Choose a new password</h1>
      <p class="sub">For <b>${untrustedText(email)}</b>. It signs you out on every device.</p>
    </div>
    ${errorSummary(fault ? [{ field: 'password', text: fault.summary }] : [])}
    <form class="stack" method="post" action="${paths.reset}">
      ${csrfField(csrf)}<input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="email" value="${email}" autocomplete="username" />
      ${newPasswordField(fault)}
      ${endBox('keys', ended.includes('keys'), 'Revoke my API keys', 'Untick it if you are sure that only you have them.')}
      ${endBox('apps', ended.includes('apps'), 'Disconnect my apps', 'You can reconnect them from the apps.')}<button>Set password</button>
    </form>
  </div>`;
  return cardPage(frame, { title: 'Choose a new password', error: fault !== null, body });
}

/** @param keys the names of the API keys that still work */
export function passwordChangedPage(frame: Frame, keys: readonly string[], ended: readonly string[]): Html {
  const names = keys.map((name) => html`<li>${untrustedText(name)}</li>`);
  const body = html`<div class="card">
    <h1>Password changed</h1>
    <p>You are signed out on every device.${ended.includes('keys') && ' Your API keys are revoked.'}</p>
    <p>Your apps ${ended.includes('apps') ? 'are disconnected' : 'stay connected'}.</p>
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
