import { isWebAddress } from '../../platform/kernel/text.js';
import type { Frame, ShellFrame } from './frame.js';
import { html, type Html } from './html.js';
import { cardPage, shellPage } from './layout.js';
import { untrustedText, outsideText } from './untrusted-text.js';
import { buttonLink, facts } from './part.js';
import { exact, inWords } from './time.js';

/** Kinds of errors, as a person sees them. Tests and bug reports find a page by `data-testid="error-<kind>"`. */
export type ErrorKind =
  'request' | 'form' | 'factor' | 'disabled' | 'missing' | 'link' | 'method' | 'size' | 'slow' | 'fault' | 'away' | 'busy';

interface ErrorText {
  readonly status: number;
  readonly title: string;
  /** Always says what happened to the money. */
  readonly text: string;
}

const ERROR_TEXTS: Readonly<Record<ErrorKind, ErrorText>> = {
  request: {
    status: 400,
    title: 'Invalid request',
    text: 'Part of the request is missing or invalid. Nothing was changed and no money was moved.',
  },
  form: {
    status: 403,
    title: 'Form not accepted',
    text: 'This form expired because you signed in or out, or it was sent from another site. Nothing was changed and no money was moved. Go back, reload and try again.',
  },
  factor: {
    status: 403,
    title: 'Second factor needed',
    text: 'Operators sign in to the console with a second factor. Add one at /dashboard/security, sign out, and sign in with it. Nothing was changed and no money was moved.',
  },
  disabled: {
    status: 403,
    title: 'Account disabled',
    text: 'The operator of this server has disabled this account. Nothing was changed and no money was moved.',
  },
  missing: {
    status: 404,
    title: 'Page not found',
    text: 'Check the address, or go to your wallet. The page may have been removed, or belong to another account.',
  },
  method: {
    status: 405,
    title: 'This page can’t be opened directly',
    text: 'This address only accepts forms. Nothing was changed and no money was moved.',
  },
  link: {
    status: 410,
    title: 'This link can’t be used',
    text: 'It has been used or has expired, or a part of it is missing. Nothing was changed and no money was moved. Ask for a new link as you did for this one, or ask the operator of this server.',
  },
  size: {
    status: 413,
    title: 'Form too large',
    text: 'The form is larger than this server accepts. Nothing was changed and no money was moved.',
  },
  slow: {
    status: 429,
    title: 'Too many requests',
    text: 'Your network or your account sent too many requests in a short time. Nothing was changed and no money was moved.',
  },
  fault: {
    status: 500,
    title: 'Something went wrong',
    text: 'It’s our fault. Your history shows the status of every payment. Quote this reference if you contact the operator.',
  },
  busy: {
    status: 503,
    title: 'Server busy',
    text: 'This server is handling too many requests. Nothing was changed and no money was moved.',
  },
  away: {
    status: 503,
    title: 'Temporarily unavailable',
    text: 'We’re having a short outage. Your money is safe and payments in progress will continue.',
  },
};

export const statusOf = (kind: ErrorKind): number => ERROR_TEXTS[kind].status;

export function errorKindOf(status: number): ErrorKind {
  const kinds = Object.keys(ERROR_TEXTS) as ErrorKind[];
  return kinds.find((kind) => ERROR_TEXTS[kind].status === status) ?? (status >= 500 ? 'fault' : 'request');
}

interface Reported {
  readonly frame: Frame;
  /** The operator searches the log for it: "R7QK-2M4D". `null` if the log has no line about it. */
  readonly reference: string | null;
}

const report = ({ frame, reference }: Reported): Html | null =>
  reference === null
    ? null
    : facts([
        ['Reference', html`<code>${reference}</code>`],
        ['Time', exact(frame.now)],
      ]);

const wayHome = html`<p><a href="/dashboard">Go to your wallet</a></p>`;

export interface ErrorModel extends Reported {
  /** With the frame of a signed-in person, the page keeps the navigation. */
  readonly frame: Frame | ShellFrame;
  readonly kind: ErrorKind;
  /** For `slow`, `away` and `busy`: the `Retry-After` header. */
  readonly retryAfterSeconds: number | null;
}

export function errorPage(model: ErrorModel): Html {
  const { title, text } = ERROR_TEXTS[model.kind];
  const retry = model.retryAfterSeconds !== null && ` Try again ${inWords(model.retryAfterSeconds)}.`;
  const body = html`<div class="card" data-testid="error-${model.kind}">
    <h1>${title}</h1>
    <p>${text}${retry}</p>
    ${report(model)} ${wayHome}
  </div>`;
  return 'nonce' in model.frame ? shellPage(model.frame, { title, currentEntry: null, body }) : cardPage(model.frame, { title, body });
}

/** Why an app cannot connect, as far as the page says it. */
export type ClientFault = 'address' | 'request' | 'pending' | 'suspended' | 'unasked' | 'test';

const CLIENT_FAULTS = {
  address: 'Its request was invalid.',
  request: 'Its request has expired or was used before. Go back to the app and try again.',
  pending: 'This app isn’t active on this server yet.',
  suspended: 'This app is suspended on this server.',
  unasked: 'The operator hasn’t approved this app. To ask for that, sign in here, and then try again from the app.',
  test: 'This app is in test mode: only the account of its developer can connect it.',
};

export interface ClientRefusal {
  readonly cause?: ClientFault | undefined;
  /** Where another account can sign in and answer the request. */
  readonly switchTo?: string;
  /** What is wrong with a request to sign the person out, in words of ours. */
  readonly logout?: string | undefined;
}

/** A request of an app that cannot be answered: no link to an unchecked address. */
export function clientErrorPage({ cause, switchTo, logout, ...model }: Reported & { readonly reference: string } & ClientRefusal): Html {
  const title = logout === undefined ? 'We couldn’t connect this app' : 'We couldn’t sign you out for this app';
  const fault = logout === undefined ? CLIENT_FAULTS[cause ?? 'address'] : `Its request was invalid: ${logout}.`;
  const body = html`<div class="card" data-testid="${logout === undefined ? 'error-client' : 'error-logout'}">
    <h1>${title}</h1>
    <p>${fault} Nothing was shared and no money was moved.</p>
    ${logout !== undefined && html`<p>You can <a href="/logout">sign out here</a>.</p>`}
    ${
      cause === 'address' &&
      html`<p data-testid="error-redirect-uri">
        Its callback URL (<code>redirect_uri</code>) isn’t registered for this app. URLs must match character by character.
      </p>`
    }
    ${switchTo !== undefined && html`<p>Its developer can <a href="${switchTo}">sign in with another account</a>.</p>`}
    <p>If you’re the developer, send this reference to the server’s operator:</p>
    ${report(model)} ${wayHome}
  </div>`;
  return cardPage(model.frame, { title, body });
}

/** `ended`: in a way that is unknown or must not be revealed. */
export type RequestEnding = 'allowed' | 'denied' | 'expired' | 'ended';

export interface EndedRequest {
  readonly ending: RequestEnding;
  /** The app with its registered home page; `null` if the request is unknown. */
  readonly client: { readonly name: string; readonly homepage: string | null } | null;
  /** The app has access from another consent, which this answer did not change. */
  readonly isConnected?: boolean;
}

interface EndingText {
  readonly title: string;
  readonly text: (from: Html | null) => Html;
  readonly again: string;
}

const ENDINGS: Readonly<Record<RequestEnding, EndingText>> = {
  allowed: {
    title: 'You allowed this request',
    text: (from) =>
      html`You allowed the request${from}. You can disconnect it any time under <a href="/dashboard/apps">Connected apps</a>.`,
    again: 'Go to',
  },
  denied: {
    title: 'You denied this request',
    text: (from) => html`You denied the request${from}. Nothing was shared and no money was moved.`,
    again: 'Start again at',
  },
  expired: {
    title: 'This request has expired',
    text: (from) => html`The request${from} to connect took too long. Nothing was shared and no money was moved.`,
    again: 'Start again at',
  },
  ended: {
    title: 'This request has ended',
    text: (from) => html`A request${from} to connect works once, for a short time, and only in the browser where it started.`,
    again: 'Start again at',
  },
};

function wayBack({ client, ending }: EndedRequest): Html {
  const homepage = client?.homepage;
  if (homepage && isWebAddress(homepage))
    return html`<p>${buttonLink(homepage, html`<span>${ENDINGS[ending].again} ${untrustedText(new URL(homepage).host)}</span>`)}</p>`;
  return ending === 'allowed' ? html`<p>You can go back to the app.</p>` : html`<p>Go back to the app and try again.</p>`;
}

/** To deny a request takes nothing away. */
const staysConnected = ({ client, ending, isConnected }: EndedRequest): Html | false =>
  ending === 'denied' &&
  isConnected === true &&
  client !== null &&
  html`<p>
    <b>${untrustedText(client.name)} is still connected.</b> It keeps the access that you gave it before, until you disconnect it under
    <a href="/dashboard/apps">Connected apps</a>.
  </p>`;

/** The browser's Back often leads to a challenge that can no longer be answered: the page says only what is certain. */
export function endedRequestPage(model: Reported & EndedRequest): Html {
  const { client, ending } = model;
  const { title, text } = ENDINGS[ending];
  const body = html`<div class="card" data-testid="error-${ending}">
    <h1>${title}</h1>
    <p>${text(client && html` from <b>${untrustedText(client.name)}</b>`)}</p>
    ${staysConnected(model)} ${wayBack(model)} ${report(model)} ${wayHome}
  </div>`;
  return cardPage(model.frame, {
    title: client ? `The request from ${outsideText(client.name)} has ended` : 'This request has ended',
    body,
  });
}

export type PageErrorReason =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'error'; readonly error: ErrorKind; readonly retryAfterSeconds?: number }
  | ({ readonly kind: 'ended' } & EndedRequest)
  | ({ readonly kind: 'client' } & ClientRefusal);

/** Thrown before a page is shown, handled by `PageFilter`. */
export class PageError extends Error {
  constructor(readonly reason: PageErrorReason) {
    super(reason.kind);
  }
}
