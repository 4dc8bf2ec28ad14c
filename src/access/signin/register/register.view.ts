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
import { PASSWORD_CHARACTERS, USERNAME_CHARACTERS, usernameOf, type RegistrationOutcome } from '../../user/index.js';

/** A fault of a field: its line in the summary, and the text beside the field. */
export interface Said {
  readonly summary: Html | string;
  readonly text: Html | string;
  readonly code?: string;
}

export interface TypedRegistration {
  readonly invitation: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

export interface RegisterModel {
  readonly frame: Frame;
  readonly csrf: string;
  readonly action: string;
  readonly loginHref: string;
  /** Never the password. `invitation` is null where registering needs none. */
  readonly values: { readonly email: string; readonly username: string; readonly invitation: string | null };
  readonly errors: Readonly<Partial<Record<keyof TypedRegistration, Said>>>;
  readonly retryAfterSeconds: number | null;
}

const same = (text: string): Said => ({ summary: text.replace(/\.$/, ''), text });

const invitationFault = (typed: string): Said =>
  typed.trim() === ''
    ? {
        code: 'INVITATION_INVALID',
        summary: 'Enter your invitation code',
        text: 'Enter the code of your invitation. You need one to register on this server.',
      }
    : {
        // Unknown, used, revoked or expired; the page does not say which.
        code: 'INVITATION_INVALID',
        summary: 'This invitation can’t be used',
        text: 'It may be mistyped, used already, withdrawn or expired. Check the code, or ask the operator of this server for a new invitation.',
      };

const emailFault = (typed: string): Said =>
  same(typed.trim() === '' ? 'Enter your e-mail.' : 'Enter an e-mail address, for example name@example.com.');

function lengthFault(what: string, typed: number, { min, max }: { readonly min: number; readonly max: number }): Said {
  if (typed === 0) return same(`Choose a ${what.toLowerCase()}.`);
  const [kind, rule] = typed < min ? ['short', `at least ${min}`] : ['long', `at most ${max}`];
  return { summary: `${what} is too ${kind}`, text: `Use ${rule} characters (you entered ${typed}).` };
}

/** Of a password that the service refused. */
export const passwordFault = (typed: string): Said => lengthFault('Password', [...typed].length, PASSWORD_CHARACTERS);

const MALFORMED: Said = {
  summary: 'This username isn’t allowed',
  text: 'Use 3 to 50 letters, digits or _, with at least one letter. It can’t start with 1, 3, _, bc1 or lnbc1.',
};

function usernameFault(typed: string): Said {
  if (usernameOf(typed) !== undefined) return { summary: 'This name is reserved', text: 'This name is reserved. Choose another.' };
  const characters = [...typed.trim()].length;
  const { min, max } = USERNAME_CHARACTERS;
  return characters >= min && characters <= max ? MALFORMED : lengthFault('Username', characters, USERNAME_CHARACTERS);
}

/** @param proposals up to two that are free */
function takenFault(typed: string, proposals: readonly string[]): Said {
  const free = proposals.map((name, index) => html`${index > 0 && ' and '}<b>${untrustedText(name)}</b>`);
  const are = proposals.length === 1 ? ' is available.' : ' are available.';
  return {
    summary: html`Username ${untrustedText(typed)} is taken`,
    text: html`<b>${untrustedText(typed)}</b> is taken. ${free.length > 0 && [...free, are]}`,
  };
}

/** The service names the fields; the page finds the rules, and has a text for each. */
export function errorsOf(outcome: Exclude<RegistrationOutcome, { kind: 'registered' }>, typed: TypedRegistration): RegisterModel['errors'] {
  if (outcome.kind === 'refused') return { invitation: invitationFault(typed.invitation) };
  if (outcome.kind === 'vetoed') return { email: { ...same(outcome.message), code: outcome.code } };
  if (outcome.kind === 'username_taken') return { username: takenFault(typed.username, outcome.proposals) };
  const faults = outcome.faults.map(({ field: name, proposals }): [keyof TypedRegistration, Said] => {
    if (name === 'email') return [name, emailFault(typed.email)];
    if (name === 'password') return [name, passwordFault(typed.password)];
    return [name, proposals ? takenFault(typed.username, proposals) : usernameFault(typed.username)];
  });
  return Object.fromEntries(faults);
}

const invitationField = (value: string, errors: RegisterModel['errors']): Html =>
  field({
    name: 'invitation',
    label: 'Invitation code',
    hint: 'From the operator of this server. It works once.',
    error: errors.invitation?.text,
    value,
    autocomplete: 'off',
    required: true,
    verbatim: true,
  });

export const newPasswordField = (fault: Said | null | undefined, label = 'Password'): Html =>
  field({
    name: 'password',
    label,
    hint: `At least ${PASSWORD_CHARACTERS.min} characters. Longer is better; a sentence works well.`,
    error: fault?.text,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    minlength: PASSWORD_CHARACTERS.min,
  });

function fields({ values, frame, errors }: RegisterModel): readonly Html[] {
  const address = html`This becomes your Lightning address, <b>username@${frame.host}</b>. You can change it once in 90 days.`;
  return [
    ...(values.invitation === null ? [] : [invitationField(values.invitation, errors)]),
    field({
      name: 'email',
      label: 'E-mail',
      hint: 'You’ll use it to sign in. It stays private.',
      error: errors.email?.text,
      type: 'email',
      value: values.email,
      autocomplete: 'username',
      required: true,
    }),
    field({
      name: 'username',
      label: 'Username',
      hint: address,
      error: errors.username?.text,
      value: values.username,
      autocomplete: 'off',
      required: true,
      verbatim: true,
    }),
    newPasswordField(errors.password),
  ];
}

const slowDown = (seconds: number): Html =>
  alert('Too many sign-ups from your network', html`<p>Try again ${inWords(seconds)}. We kept what you entered.</p>`);

export function registerPage(model: RegisterModel): Html {
  const problems: FormProblem[] = Object.entries(model.errors).map(([name, { summary }]) => ({ field: name, text: summary }));
  const code = Object.values(model.errors).find((said) => said.code !== undefined)?.code;
  const slow = model.retryAfterSeconds;
  const body = html`<div class="card" ${attributes({ 'data-code': code })}>
    <div class="tight">
      <h1>Create your account</h1>
      <p class="sub">Comes with a Bitcoin wallet and a US dollar wallet.</p>
    </div>
    ${slow === null ? errorSummary(problems) : slowDown(slow)}
    <form class="stack" method="post" action="${model.action}">
      ${csrfField(model.csrf)}${fields(model)}<button>Create account</button>
    </form>
    <p>Already have an account? <a href="${model.loginHref}">Sign in</a></p>
  </div>`;
  return cardPage(model.frame, { title: 'Create your account', error: problems.length > 0 || slow !== null, body });
}

export function registrationClosedPage({ frame, loginHref }: Pick<RegisterModel, 'frame' | 'loginHref'>): Html {
  const body = html`<div class="card" data-code="REGISTRATION_CLOSED">
    <h1>Registration is closed</h1>
    <p>You can’t create an account on this server yourself. Ask its operator to create one for you. No account was created.</p>
    <p>Already have an account? <a href="${loginHref}">Sign in</a></p>
  </div>`;
  return cardPage(frame, { title: 'Registration is closed', error: false, body });
}
