import { cardPage, html, untrustedText, type Frame, type Html } from '../../../edge/page/index.js';
import { companyButton, type CompanyLink } from '../company-button.js';
import { paths } from '../paths.js';

/** What each refusal says, and the status of its page. */
export const REFUSALS = {
  unavailable: { status: 503, title: 'The sign-in cannot be reached', say: 'It does not answer at the moment. Try again in a minute.' },
  denied: {
    status: 403,
    title: 'The sign-in was refused',
    say: 'It did not confirm who you are. Try again, or ask the operator of this server.',
  },
  not_fresh: {
    status: 403,
    title: 'A new proof is needed',
    say: 'This step needs a proof from the last minutes, and this sign-in cannot give one. Sign out and sign in again, or add a second factor on the page Security.',
  },
  expired: {
    status: 400,
    title: 'This sign-in has ended',
    say: 'It began in another browser, was used before, or took longer than ten minutes. Begin again.',
  },
  unusable: {
    status: 403,
    title: 'The sign-in has no e-mail address',
    say: 'An account needs one. Ask the operator to let this server see your e-mail address.',
  },
  email_taken: {
    status: 409,
    title: 'An account with your e-mail address exists',
    say: 'It does not belong to this sign-in, so you were not signed in to it. The operator can permit the linking of verified addresses, or remove the old account.',
  },
  disabled: { status: 403, title: 'This account is disabled', say: 'You cannot sign in to it. Ask the operator of this server.' },
  vetoed: { status: 403, title: 'No account was created', say: 'The rules of this server refused it.' },
  other_person: {
    status: 403,
    title: 'You proved another account',
    say: 'The sign-in confirmed a person who is not signed in here. Use the account that you are signed in with.',
  },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string; readonly say: string }>>;

export type CompanyRefusal = keyof typeof REFUSALS;

export interface CompanyRefusedModel {
  readonly frame: Frame;
  readonly reason: CompanyRefusal;
  /** A policy's own words. */
  readonly message: string | null;
  readonly again: CompanyLink | null;
  readonly passwordsWork: boolean;
}

export function companyRefusedPage({ frame, reason, message, again, passwordsWork }: CompanyRefusedModel): Html {
  const { title, say } = REFUSALS[reason];
  const body = html`<div class="card" data-code="${reason.toUpperCase()}">
    <h1>${title}</h1>
    <p>${message === null ? say : untrustedText(message)}</p>
    ${again && companyButton(again)} ${passwordsWork && html`<p><a href="${paths.login}">Other ways to sign in</a></p>`}
  </div>`;
  return cardPage(frame, { title, error: true, body });
}
