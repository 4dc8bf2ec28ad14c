import {
  alert,
  buttonLink,
  csrfField,
  errorSummary,
  field,
  html,
  inWords,
  notice,
  shellPage,
  untrustedText,
  type Html,
  type ShellFrame,
} from '../../../edge/page/index.js';
import { endBox } from '../ended-credentials.js';
import { paths } from '../paths.js';
import { newPasswordField, type Said } from '../register/register.view.js';

export interface PasswordModel {
  readonly frame: ShellFrame;
  /** The names of those that work. */
  readonly keys: readonly string[];
  /** The boxes that are ticked. */
  readonly ended: readonly string[];
  readonly fault: Said | null;
  /** Of the present password; a number: seconds until another one is compared. */
  readonly refusal: 'wrong' | number | null;
  readonly isSaved: boolean;
}

const WRONG = 'This is not your present password.';

export function passwordPage({ frame, keys, ended, fault, refusal, isSaved }: PasswordModel): Html {
  const wrong = refusal === 'wrong' && ({ field: 'current', text: 'Wrong password' } as const);
  const problems = [wrong, fault !== null && { field: 'password', text: fault.summary }].filter((problem) => problem !== false);
  const slow =
    typeof refusal === 'number' && alert('Too many wrong passwords', html`<p>Try again ${inWords(refusal)}. You stay signed in.</p>`);
  const names = keys.map((name, index) => html`${index > 0 && ', '}${untrustedText(name)}`);
  const current = field({
    name: 'current',
    label: 'Present password',
    error: wrong ? WRONG : null,
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const body = html`<p><a href="${paths.security}">Security</a></p>
    <h1>Change your password</h1>
    ${errorSummary(problems)} ${slow}
    ${isSaved && notice(html`<p><b>Your password is changed.</b> Your other devices are signed out.</p>`, 'good')}
    <form class="card" method="post" action="${paths.password}">
      ${csrfField(frame.csrf)}<input type="hidden" name="email" value="${frame.email}" autocomplete="username" />
      ${current}${newPasswordField(fault, 'New password')}
      <p>Your other devices are signed out. This one stays signed in.</p>
      ${endBox('apps', ended.includes('apps'), 'Also disconnect my apps', 'You can reconnect them from the apps.')}
      ${keys.length > 0 && endBox('keys', ended.includes('keys'), 'Also revoke my API keys', html`${names}`)}
      <div class="line"><button>Change password</button>${buttonLink(paths.security, 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: 'Change your password', currentEntry: null, error: problems.length > 0 || slow !== false, body });
}
