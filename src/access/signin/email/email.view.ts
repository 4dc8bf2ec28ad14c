import {
  alert,
  badge,
  buttonLink,
  cardPage,
  csrfField,
  errorSummary,
  field,
  html,
  inWords,
  notice,
  shellPage,
  untrustedText,
  type Frame,
  type Html,
  type ShellFrame,
} from '../../../edge/page/index.js';
import { paths } from '../paths.js';

export interface EmailModel {
  readonly frame: ShellFrame;
  readonly isVerified: boolean;
  /** False: this server sends no mail. */
  readonly hasMail: boolean;
  readonly typed: string;
  /** A number: seconds until the person may try again. */
  readonly fault: 'email' | 'password' | number | null;
  readonly done: 'sent' | 'changed' | 'confirmed' | null;
}

const FAULTS = {
  email: { summary: 'Enter an e-mail address', text: 'Enter an e-mail address, for example name@example.com.' },
  password: { summary: 'Wrong password', text: 'This is not your password.' },
} as const;
const DONE = {
  sent: notice(
    html`<p><b>Check your mail.</b> We sent a message to that address. Open its link in this browser, within a day.</p>`,
    'good',
  ),
  changed: notice(html`<p><b>Your e-mail address is changed.</b> You sign in with it from now on.</p>`, 'good'),
  confirmed: notice(html`<p><b>Your e-mail address is confirmed.</b></p>`, 'good'),
} as const;

function changeForm({ frame, typed, fault }: EmailModel): Html {
  const errorOf = (name: 'email' | 'password'): string | null => (fault === name ? FAULTS[name].text : null);
  return html`<form class="card" method="post" action="${paths.email}">
    <h2>Use another address</h2>
    ${csrfField(frame.csrf)}
    ${field({ name: 'email', label: 'New e-mail', type: 'email', value: typed, error: errorOf('email'), autocomplete: 'email', required: true })}
    ${field({ name: 'password', label: 'Your password', type: 'password', error: errorOf('password'), autocomplete: 'current-password', required: true })}
    <p class="sub">
      We send a link to the new address. Once you open it, the old address gets a message, and can undo the change for 7 days.
    </p>
    <div class="line"><button>Send link</button>${buttonLink(paths.security, 'Cancel', 'quiet')}</div>
  </form>`;
}

export function emailPage(model: EmailModel): Html {
  const { frame, isVerified, hasMail, fault, done } = model;
  const problems = typeof fault === 'string' ? [{ field: fault, text: FAULTS[fault].summary }] : [];
  const slow = typeof fault === 'number' && alert('Too many attempts', html`<p>Try again ${inWords(fault)}.</p>`);
  const verify = html`<form method="post" action="${paths.email}">
    ${csrfField(frame.csrf)}<input type="hidden" name="verify" value="1" /><button class="quiet">Send a link to confirm it</button>
  </form>`;
  const body = html`<p><a href="${paths.security}">Security</a></p>
    <h1>E-mail address</h1>
    ${errorSummary(problems)} ${slow} ${done && DONE[done]}
    <section class="card">
      <p class="line">
        <b>${untrustedText(frame.email, 254)}</b> ${isVerified ? badge('Confirmed', 'good') : badge('Not confirmed', 'wait')}
      </p>
      ${hasMail && !isVerified && verify} ${!hasMail && html`<p>This server sends no mail. Ask its operator to change your address.</p>`}
    </section>
    ${hasMail && changeForm(model)}`;
  return shellPage(frame, { title: 'E-mail address', currentEntry: null, error: fault !== null, body });
}

export interface ConfirmEmailModel {
  readonly frame: ShellFrame;
  readonly address: string;
  readonly isNew: boolean;
  readonly token: string;
}

export function confirmEmailPage({ frame, address, isNew, token }: ConfirmEmailModel): Html {
  const title = isNew ? 'Use this e-mail address?' : 'Confirm this e-mail address?';
  const body = html`<h1>${title}</h1>
    <form class="card" method="post" action="${paths.confirmEmail}">
      ${csrfField(frame.csrf)}<input type="hidden" name="token" value="${token}" />
      <p><b>${untrustedText(address, 254)}</b></p>
      ${isNew && html`<p>It replaces ${untrustedText(frame.email, 254)}, and you sign in with it from now on.</p>`}
      <div class="line">
        <button>${isNew ? 'Use this address' : 'Confirm address'}</button>${buttonLink(paths.email, 'Cancel', 'quiet')}
      </div>
    </form>`;
  return shellPage(frame, { title, currentEntry: null, body });
}

export interface UndoEmailModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly address: string;
  readonly token: string;
}

export function undoEmailPage({ frame, csrf, address, token }: UndoEmailModel): Html {
  const body = html`<form class="card" method="post" action="${paths.undoEmail}">
    <h1>Undo the change of your e-mail address?</h1>
    ${csrfField(csrf)}<input type="hidden" name="token" value="${token}" />
    <p>Your account gets the address <b>${untrustedText(address, 254)}</b> back, and every browser is signed out.</p>
    <button>Undo the change</button>
  </form>`;
  return cardPage(frame, { title: 'Undo the change of your e-mail address', body });
}

export function undoneEmailPage(frame: Frame, address: string, reset: URL): Html {
  const body = html`<div class="card">
    <h1>The change is undone</h1>
    <p>Your address is <b>${untrustedText(address, 254)}</b> again, and every browser is signed out.</p>
    <p>The one who changed it knew your password. Choose a new one now:</p>
    <p>${buttonLink(`${reset.pathname}${reset.search}`, 'Choose a new password')}</p>
    <p><a href="${paths.login}">Sign in</a></p>
  </div>`;
  return cardPage(frame, { title: 'The change is undone', body });
}
