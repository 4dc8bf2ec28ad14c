import {
  buttonLink,
  day,
  empty,
  field,
  html,
  lastUse,
  outsideText,
  passkeyForm,
  untrustedText,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { MAX_PASSKEY_NAME, type ListedPasskey } from '../../access/factor/index.js';
import { card, dashboardPage, questionPage } from '../layout.js';
import { paths } from '../paths.js';
import { SECURITY } from './security.view.js';

export interface PasskeysModel {
  readonly frame: ShellFrame;
  readonly passkeys: readonly ListedPasskey[];
  /** Of the ceremony that makes one, as JSON. */
  readonly options: string;
  readonly name: string;
  readonly isRefused: boolean;
}

const REFUSED = 'This passkey was not accepted. It is added already, or this page was open for too long. Try again.';

const row = ({ id, name, createdAt, lastUsedAt }: ListedPasskey, frame: ShellFrame): Html =>
  html`<li class="line apart">
    <div class="tight">
      <p><b>${untrustedText(name)}</b></p>
      <p class="sub">Added ${day(createdAt)} · last used: ${lastUse(lastUsedAt, frame)}</p>
    </div>
    ${buttonLink(paths.removePasskey(id), html`Remove<span class="hide"> ${outsideText(name)}</span>`, 'quiet small')}
  </li>`;

export function passkeysPage({ frame, passkeys, options, name, isRefused }: PasskeysModel): Html {
  const list = html`<ul class="rows">
    ${passkeys.map((each) => row(each, frame))}
  </ul>`;
  const fields = field({ name: 'name', label: 'Name', hint: 'For example: My phone', value: name, maxlength: MAX_PASSKEY_NAME });
  const form = passkeyForm({ ...frame, options, action: paths.passkeys, button: 'Add a passkey', fields });
  const add = html`${form}<noscript><p>Adding a passkey needs JavaScript.</p></noscript>`;
  const problems = [isRefused && { field: 'add', text: REFUSED }];
  return dashboardPage(frame, { title: 'Passkeys', entry: 'security', back: SECURITY, problems }, [
    card('Your passkeys', passkeys.length > 0 ? list : empty('No passkeys yet', 'A passkey is used when you sign in.')),
    card('Add a passkey', add, { id: 'add' }),
  ]);
}

export function removePasskeyPage(frame: ShellFrame, { id, name }: ListedPasskey): Html {
  const question = {
    title: html`Remove the passkey ${untrustedText(name)}?`,
    text: `Remove the passkey ${outsideText(name)}`,
    entry: 'security',
    action: paths.removePasskey(id),
    button: 'Remove',
    cancel: paths.passkeys,
  } as const;
  const last = html`<p>
    You can no longer sign in with it. Without another factor you sign in with one step, and your recovery codes end.
  </p>`;
  return questionPage(frame, question, last);
}
