import {
  badge,
  buttonLink,
  csrfField,
  field,
  html,
  notice,
  qr,
  secret,
  type Html,
  type HtmlValue,
  type ShellFrame,
  card,
} from '../../edge/page/index.js';
import type { FactorState, TotpRegistration } from '../../access/factor/index.js';
import { dashboardPage, questionPage } from '../layout.js';
import { paths } from '../paths.js';

export const SECURITY = { href: paths.security, label: 'Security' } as const;

/** With fewer left, the page asks to make new ones. */
const FEW_CODES = 3;

const CHANGES = {
  'totp-on': 'Your authenticator app is on. The next sign-in asks for its code.',
  'totp-off': 'Your authenticator app is off.',
  'passkey-on': 'The passkey is added. Use it when you sign in.',
  'passkey-off': 'The passkey is removed.',
} as const;
export type SecurityChange = keyof typeof CHANGES;
export const changeOf = (value: unknown): SecurityChange | null =>
  (Object.keys(CHANGES) as SecurityChange[]).find((change) => change === value) ?? null;

/** The pages that it leads to are those of the sign-in. */
const SIGN_IN = card(
  'Password and e-mail',
  html`<p class="line">${buttonLink(paths.password, 'Change password', 'quiet')} ${buttonLink(paths.email, 'E-mail address', 'quiet')}</p>`,
);

export interface SecurityModel {
  readonly frame: ShellFrame;
  readonly state: FactorState;
  readonly sessions: number;
  readonly change: SecurityChange | null;
  /** False: people sign in through the company alone. */
  readonly passwordsWork: boolean;
}

function totpCard({ state: { totp }, passwordsWork }: SecurityModel): Html {
  const alone = passwordsWork ? ' Your password alone can’t sign in then.' : '';
  const sub = `A second step when you sign in: a code from your phone.${alone}`;
  const action = totp ? buttonLink(paths.removeTotp, 'Turn off', 'quiet') : buttonLink(paths.totp, 'Set up');
  return card('Authenticator app', html`<p class="line">${totp ? badge('On', 'good') : badge('Off')} ${action}</p>`, { sub });
}

function passkeysCard({ state: { passkeys }, passwordsWork }: SecurityModel): Html {
  const use = passwordsWork ? 'Sign in with' : 'A second step when you sign in:';
  const alone = passwordsWork ? ', without a password' : '';
  const sub = `${use} your phone, your computer or a security key${alone}. They work on this site only.`;
  return card(
    'Passkeys',
    html`<p class="line">
      ${passkeys > 0 ? badge(`${passkeys} added`, 'good') : badge('None')}
      ${buttonLink(paths.passkeys, passkeys > 0 ? 'Details' : 'Add one', 'quiet')}
    </p>`,
    { sub },
  );
}

function codesCard({ state: { totp, passkeys, recoveryCodes: left } }: SecurityModel): Html | null {
  if (!totp && passkeys === 0) return null;
  const few = left < FEW_CODES && notice(html`<p><b>Only ${left} left.</b> Make new ones before you need them.</p>`, 'bad');
  const sub = 'Each replaces your factor once, if you lose it.';
  return card(
    'Recovery codes',
    html`${few}
      <p class="line">${left} left ${buttonLink(paths.recoveryCodes, 'Make new ones', 'quiet')}</p>`,
    { sub },
  );
}

function sessionsCard({ sessions }: SecurityModel): Html {
  const count = sessions === 1 ? 'Signed in here only' : `Signed in ${sessions} times, this one included`;
  return card('Where you are signed in', html`<p class="line">${count} ${buttonLink(paths.sessions, 'Details', 'quiet')}</p>`);
}

export function securityPage(model: SecurityModel): Html {
  const { frame, change } = model;
  return dashboardPage(frame, { title: 'Security', entry: 'security' }, [
    change && notice(html`<p>${CHANGES[change]}</p>`, 'good'),
    model.passwordsWork && SIGN_IN,
    totpCard(model),
    passkeysCard(model),
    codesCard(model),
    sessionsCard(model),
  ]);
}

export function totpPage(frame: ShellFrame, registration: TotpRegistration, fault: string | null): Html {
  const { id, secret: key, uri } = registration;
  const content = html`<form class="card" method="post" action="${paths.totp}">
    ${csrfField(frame.csrf)}<input type="hidden" name="registration" value="${id}" />
    <h2>1. Scan this with your app</h2>
    ${qr({ value: uri, label: 'QR code for your authenticator app; the same key is below as text' })}
    <p>Or type this key into it:</p>
    ${secret('key', key, 'the key')}
    <h2>2. Show that it works</h2>
    ${field({ name: 'code', label: 'Code', hint: 'The 6 digits that the app shows', error: fault, inputmode: 'numeric', autocomplete: 'one-time-code', required: true })}
    <div class="line"><button>Turn on</button>${buttonLink(paths.security, 'Cancel', 'quiet')}</div>
  </form>`;
  const problems = [fault !== null && { field: 'code', text: fault }];
  return dashboardPage(frame, { title: 'Set up an authenticator app', entry: 'security', back: SECURITY, problems }, content);
}

export function removeTotpPage(frame: ShellFrame): Html {
  const question = {
    title: 'Turn off your authenticator app?',
    text: 'Turn off your authenticator app',
    entry: 'security',
    action: paths.removeTotp,
    button: 'Turn off',
    cancel: paths.security,
  } as const;
  return questionPage(frame, question, html`<p>Without another factor you sign in with one step, and your recovery codes end.</p>`);
}

/** @param codes null: they were shown before, and are to be replaced */
export function codesPage(frame: ShellFrame, codes: readonly string[] | null, left: number): Html {
  const page = { title: 'Recovery codes', entry: 'security', back: SECURITY } as const;
  if (codes === null) {
    const content = html`<form class="card" method="post" action="${paths.recoveryCodes}">
      ${csrfField(frame.csrf)}
      <p>You have ${left} recovery codes left. They can’t be shown again. New ones replace them.</p>
      <div class="line"><button>Make new codes</button>${buttonLink(paths.security, 'Cancel', 'quiet')}</div>
    </form>`;
    return dashboardPage(frame, page, content);
  }
  const lines: HtmlValue = codes.map((code, index) => html`${index > 0 && ' '}<span>${code}</span>`);
  const content = html`<section class="card">
    ${notice(html`<p><b>Keep these codes now.</b> You won’t be able to see them again. Each works once.</p>`)}
    ${secret('codes', lines, 'the codes')}
    <p class="sub">Print them, or store them where you keep your passwords: not on the phone with the authenticator app.</p>
    <p>${buttonLink(paths.security, 'Done')}</p>
  </section>`;
  return dashboardPage(frame, page, content);
}
