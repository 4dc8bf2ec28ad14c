import {
  alert,
  appHead,
  csrfField,
  field,
  cardPage,
  html,
  notice,
  passkeyForm,
  type AppHead,
  type Frame,
  type Html,
  type PasskeyAsked,
} from '../../../edge/page/index.js';
import { companyButton, type CompanyLink } from '../company-button.js';

const DEMO_ACCOUNTS = { emails: ['alice@example.test', 'bob@example.test', 'operator@example.test'], password: 'sluice-demo' } as const;

export type LoginRefusal =
  /** One text for an unknown e-mail and a wrong password. */
  { readonly kind: 'wrong' } | { readonly kind: 'passkey' } | { readonly kind: 'slow'; readonly retryAfterSeconds: number };

/** A registration (whether or not the e-mail was known), a sign-out, or a form that arrived after its session had ended led here. */
export const ARRIVAL_REASONS = ['registered', 'signed-out', 'session-ended', 'code-expired', 'deleted'] as const;
export type ArrivalReason = (typeof ARRIVAL_REASONS)[number];

export interface LoginModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly action: string;
  readonly registerHref: string | null;
  /** Null: this server sends no mail. */
  readonly forgotHref: string | null;
  readonly app: AppHead | null;
  readonly email: string;
  readonly refusal: LoginRefusal | null;
  readonly arrival: ArrivalReason | null;
  readonly passkey: PasskeyAsked;
  readonly company: CompanyLink | null;
  /** False: the company's sign-in is the only one. */
  readonly passwordsWork: boolean;
}

export const PASSKEY_REFUSED = alert(
  'This passkey was not accepted',
  html`<p>It belongs to another account, or this page was open for too long. Try again, or continue without it.</p>`,
);

function refusalNotice(refusal: LoginRefusal): Html {
  if (refusal.kind === 'passkey') return PASSKEY_REFUSED;
  if (refusal.kind === 'wrong') return alert('Wrong e-mail or password', html`<p>Please <a href="#password">try again</a>.</p>`);
  return alert('Too many wrong passwords', html`<p>You can still sign in with the right one; it may take longer.</p>`);
}

const ARRIVALS: Readonly<Record<ArrivalReason, Html>> = {
  deleted: notice(html`<p><b>Your account is deleted.</b> Your e-mail address can register again.</p>`, 'good'),
  'code-expired': notice(html`<p><b>Signing in took too long.</b> Enter your password again.</p>`),
  'session-ended': notice(
    html`<p>
      <b>Your session has ended, so this form was not carried out.</b> It changed nothing and moved no money. Sign in and send it again.
    </p>`,
  ),
  registered: notice(
    html`<p><b>Account ready.</b> Sign in with your e-mail and password. If you already have an account, use its password.</p>`,
    'good',
  ),
  'signed-out': notice(html`<p><b>You are signed out</b> in this browser.</p>`, 'good'),
};

function demoNotice(): Html {
  const list = DEMO_ACCOUNTS.emails.map((email) => html`<li><code>${email}</code></li>`);
  return notice([
    html`<h2>Demo accounts</h2>
      <ul>
        ${list}
      </ul>`,
    html`<p>Password <code>${DEMO_ACCOUNTS.password}</code></p>`,
  ]);
}

export function loginPage(model: LoginModel): Html {
  const form = html`<form class="stack" method="post" action="${model.action}">
    ${csrfField(model.csrf)}
    ${field({ name: 'email', label: 'E-mail', type: 'email', value: model.email, autocomplete: 'username', required: true })}
    ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true })}
    <button>Sign in</button>
  </form>`;
  const body = html`<div class="card">
      <h1>${model.app ? 'Sign in to continue' : 'Sign in'}</h1>
      ${model.app && appHead(model.app)} ${model.refusal ? refusalNotice(model.refusal) : model.arrival && ARRIVALS[model.arrival]}
      ${model.company && companyButton(model.company)}
      ${model.passwordsWork && [form, passkeyForm({ ...model, ...model.passkey, button: 'Sign in with a passkey' })]}
      ${model.forgotHref !== null && html`<p><a href="${model.forgotHref}">Forgot your password?</a></p>`}
      ${model.registerHref !== null && html`<p>New here? <a href="${model.registerHref}">Create an account</a></p>`}
    </div>
    ${model.passwordsWork && model.frame.banner === 'demo' && demoNotice()}`;
  return cardPage(model.frame, { title: 'Sign in', error: model.refusal !== null, body });
}
