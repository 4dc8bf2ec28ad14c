import {
  alert,
  attributes,
  csrfField,
  errorSummary,
  field,
  cardPage,
  html,
  inWords,
  untrustedText,
  type FormProblem,
  type Frame,
  type Html,
} from '../../../edge/page/index.js';
import { PASSWORD_CHARACTERS, USERNAME_CHARACTERS } from '../../user/index.js';

export type EmailError = { readonly kind: 'missing' } | { readonly kind: 'malformed' };
export type LengthError = { readonly kind: 'short'; readonly typed: number } | { readonly kind: 'long'; readonly typed: number };
export type UsernameError =
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed' }
  | LengthError
  | { readonly kind: 'taken'; /** Up to two that are free. */ readonly proposals: readonly string[] };
export type PasswordError = { readonly kind: 'missing' } | LengthError;

/** `invalid`: unknown, used, revoked or expired; the page does not say which. */
export type InvitationError = { readonly kind: 'missing' } | { readonly kind: 'invalid' };

export interface RegisterModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly action: string;
  readonly loginHref: string;
  /** Never the password. `invitation` is null where registering needs none. */
  readonly values: { readonly email: string; readonly username: string; readonly invitation: string | null };
  readonly errors: {
    readonly invitation?: InvitationError;
    readonly email?: EmailError;
    readonly username?: UsernameError;
    readonly password?: PasswordError;
  };
  readonly retryAfterSeconds: number | null;
}

const EMAIL = {
  missing: 'Enter your e-mail.',
  malformed: 'Enter an e-mail address, for example name@example.com.',
} as const;

const INVITATION: Readonly<Record<InvitationError['kind'], Said>> = {
  missing: { summary: 'Enter your invitation code', text: 'Enter the code of your invitation. You need one to register on this server.' },
  invalid: {
    summary: 'This invitation can’t be used',
    text: 'It may be mistyped, used already, withdrawn or expired. Check the code, or ask the operator of this server for a new invitation.',
  },
};

interface Said {
  readonly summary: Html | string;
  readonly text: Html | string;
}

const same = (text: string): Said => ({ summary: text.replace(/\.$/, ''), text });

const lengthWords = (what: string, { kind, typed }: LengthError, { min, max }: { readonly min: number; readonly max: number }): Said => ({
  summary: `${what} is too ${kind}`,
  text: `Use ${kind === 'short' ? `at least ${min}` : `at most ${max}`} characters (you entered ${typed}).`,
});

function usernameWords(error: UsernameError, typed: string): Said {
  if (error.kind === 'missing') return same('Choose a username.');
  if (error.kind === 'short' || error.kind === 'long') return lengthWords('Username', error, USERNAME_CHARACTERS);
  if (error.kind === 'malformed') {
    const rule = 'Use 3 to 50 letters, digits or _, with at least one letter. It can’t start with 1, 3, _, bc1 or lnbc1.';
    return { summary: 'This username isn’t allowed', text: rule };
  }
  const free = error.proposals.map((name, index) => html`${index > 0 && ' and '}<b>${untrustedText(name)}</b>`);
  const are = error.proposals.length === 1 ? ' is available.' : ' are available.';
  return {
    summary: html`Username ${untrustedText(typed)} is taken`,
    text: html`<b>${untrustedText(typed)}</b> is taken. ${free.length > 0 && [...free, are]}`,
  };
}

const passwordWords = (error: PasswordError): Said =>
  error.kind === 'missing' ? same('Choose a password.') : lengthWords('Password', error, PASSWORD_CHARACTERS);

interface RegisterTexts {
  readonly invitation: Said | null;
  readonly email: Said | null;
  readonly username: Said | null;
  readonly password: Said | null;
}

const wordsOf = ({ errors, values }: RegisterModel): RegisterTexts => ({
  invitation: errors.invitation ? INVITATION[errors.invitation.kind] : null,
  email: errors.email ? same(EMAIL[errors.email.kind]) : null,
  username: errors.username ? usernameWords(errors.username, values.username) : null,
  password: errors.password ? passwordWords(errors.password) : null,
});

const invitationField = (value: string, words: RegisterTexts): Html =>
  field({
    name: 'invitation',
    label: 'Invitation code',
    hint: 'From the operator of this server. It works once.',
    error: words.invitation?.text,
    value,
    autocomplete: 'off',
    required: true,
    verbatim: true,
  });

function fields({ values, frame }: RegisterModel, words: RegisterTexts): readonly Html[] {
  const address = html`This becomes your Lightning address, <b>username@${frame.host}</b>. You can’t change it later.`;
  return [
    ...(values.invitation === null ? [] : [invitationField(values.invitation, words)]),
    field({
      name: 'email',
      label: 'E-mail',
      hint: 'You’ll use it to sign in. It stays private.',
      error: words.email?.text,
      type: 'email',
      value: values.email,
      autocomplete: 'username',
      required: true,
    }),
    field({
      name: 'username',
      label: 'Username',
      hint: address,
      error: words.username?.text,
      value: values.username,
      autocomplete: 'off',
      required: true,
      verbatim: true,
    }),
    field({
      name: 'password',
      label: 'Password',
      hint: `At least ${PASSWORD_CHARACTERS.min} characters. Longer is better; a sentence works well.`,
      error: words.password?.text,
      type: 'password',
      autocomplete: 'new-password',
      required: true,
      minlength: PASSWORD_CHARACTERS.min,
    }),
  ];
}

const slowDown = (seconds: number): Html =>
  alert('Too many sign-ups from your network', html`<p>Try again ${inWords(seconds)}. We kept what you entered.</p>`);

export function registerPage(model: RegisterModel): Html {
  const words = wordsOf(model);
  const problems: FormProblem[] = Object.entries(words).flatMap(([name, said]: [string, Said | null]) =>
    said ? [{ field: name, text: said.summary }] : [],
  );
  const slow = model.retryAfterSeconds;
  const body = html`<div class="card" ${attributes({ 'data-code': model.errors.invitation && 'INVITATION_INVALID' })}>
    <div class="tight">
      <h1>Create your account</h1>
      <p class="sub">Comes with a Bitcoin wallet and a US dollar wallet.</p>
    </div>
    ${slow === null ? errorSummary(problems) : slowDown(slow)}
    <form class="stack" method="post" action="${model.action}">
      ${csrfField(model.csrf)}${fields(model, words)}<button>Create account</button>
    </form>
    <p>Already have an account? <a href="${model.loginHref}">Sign in</a></p>
  </div>`;
  return cardPage(model.frame, { title: 'Create your account', error: problems.length > 0 || slow !== null, body });
}

export type RegistrationClosedModel = Pick<RegisterModel, 'frame' | 'loginHref'>;

export function registrationClosedPage({ frame, loginHref }: RegistrationClosedModel): Html {
  const body = html`<div class="card" data-code="REGISTRATION_CLOSED">
    <h1>Registration is closed</h1>
    <p>You can’t create an account on this server yourself. Ask its operator to create one for you. No account was created.</p>
    <p>Already have an account? <a href="${loginHref}">Sign in</a></p>
  </div>`;
  return cardPage(frame, { title: 'Registration is closed', error: false, body });
}
