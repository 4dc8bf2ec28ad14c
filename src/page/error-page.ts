import { randomInt } from 'node:crypto';
import type { Frame, ShellFrame } from './frame.js';
import { html, type Html } from './html.js';
import { gatePage, shellPage } from './layout.js';
import { untrustedText, outsideText } from './untrusted-text.js';
import { buttonLink, facts } from './part.js';
import { exact, inWords } from './time.js';

/** Kinds of errors, as a person sees them. Tests and bug reports find a page by `data-testid="error-<kind>"`. */
export type ErrorKind = 'request' | 'form' | 'missing' | 'method' | 'size' | 'slow' | 'fault' | 'away' | 'busy';

interface Words {
  readonly status: number;
  readonly title: string;
  /** Always says what happened to the money. */
  readonly text: string;
}

const WORDS: Readonly<Record<ErrorKind, Words>> = {
  request: {
    status: 400,
    title: 'This request does not work',
    text: 'Something in it is missing or is not as it should be. Nothing was changed and no money moved.',
  },
  form: {
    status: 403,
    title: 'This form was not accepted',
    text: 'It did not come from a page of ours, or you signed in or out after you opened it. Nothing was changed and no money moved. Go back, load that page again and send it once more.',
  },
  missing: {
    status: 404,
    title: 'There is nothing here',
    text: 'The address may be mistyped, or what was here is gone or belongs to another account. Your money is where it was.',
  },
  method: {
    status: 405,
    title: 'This address cannot be opened directly',
    text: 'It only accepts forms sent from our pages. Nothing was changed and no money moved.',
  },
  size: {
    status: 413,
    title: 'That was too much',
    text: 'The form was larger than any of ours can be. Nothing was changed and no money moved.',
  },
  slow: {
    status: 429,
    title: 'Too many requests',
    text: 'Too much came from your network in a short time. Nothing was changed and no money moved.',
  },
  fault: {
    status: 500,
    title: 'This page could not be made',
    text: 'The fault is ours, and it is written down under the reference below. No payment is ever left half done: your history shows what happened to it.',
  },
  busy: {
    status: 503,
    title: 'Too busy just now',
    text: 'Too much is being asked of this server at present. Nothing was changed and no money moved: please try again in a moment.',
  },
  away: {
    status: 503,
    title: 'Back in a moment',
    text: 'The database does not answer at present. Your money is where it was, and a payment on its way goes on by itself.',
  },
};

/** The HTTP status of a page of this kind. */
export const statusOf = (kind: ErrorKind): number => WORDS[kind].status;

/** The kind for a status: 5xx other than 503 is a fault, any other 4xx an invalid request. */
export function errorKindOf(status: number): ErrorKind {
  const kinds = Object.keys(WORDS) as ErrorKind[];
  return kinds.find((kind) => WORDS[kind].status === status) ?? (status >= 500 ? 'fault' : 'request');
}

interface Reported {
  readonly frame: Frame;
  /** What the operator searches the log for: "R7QK-2M4D". `null` if the log has no line about it. */
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

/** Any error without a page of its own. */
export function errorPage(model: ErrorModel): Html {
  const { title, text } = WORDS[model.kind];
  const retry = model.retryAfterSeconds !== null && ` Try again ${inWords(model.retryAfterSeconds)}.`;
  const body = html`<div class="card" data-testid="error-${model.kind}">
    <h1>${title}</h1>
    <p>${text}${retry}</p>
    ${report(model)} ${wayHome}
  </div>`;
  return 'nonce' in model.frame ? shellPage(model.frame, { title, place: null, body }) : gatePage(model.frame, { title, body });
}

/** An authorization request with an invalid client or redirect URI: no link to an unchecked address; one text for all causes but one. */
export function clientErrorPage(model: Reported & { readonly reference: string; readonly isAddress?: boolean }): Html {
  const body = html`<div class="card" data-testid="error-client">
    <h1>This app cannot connect</h1>
    <p>
      It sent you here with a request that this server does not accept, so you are not sent back to it. Nothing was shared and no money
      moved.
    </p>
    ${
      model.isAddress === true &&
      html`<p data-testid="error-redirect-uri">
        The reason: the address it wants you sent back to (<code>redirect_uri</code>) is not one that was registered for this app. Addresses
        are compared character by character.
      </p>`
    }
    <p>The people who make the app can find the reason with the operator of this server. This reference helps them:</p>
    ${report(model)} ${wayHome}
  </div>`;
  return gatePage(model.frame, { title: 'This app cannot connect', body });
}

/** How an authorization request ended: answered by this person, expired, or in a way that is unknown or must not be revealed. */
export type RequestEnding = 'allowed' | 'denied' | 'expired' | 'ended';

export interface EndedRequestModel extends Reported {
  readonly ending: RequestEnding;
  /** The app with its registered home page; `null` if the request is unknown. */
  readonly client: { readonly name: string; readonly homeUrl: string | null } | null;
}

interface EndingWords {
  readonly title: string;
  /** @param from " from Corner Coffee", or nothing */
  readonly text: (from: Html | null) => Html;
  /** The text of the link back to the app. */
  readonly again: string;
}

const ENDINGS: Readonly<Record<RequestEnding, EndingWords>> = {
  allowed: {
    title: 'You allowed this',
    text: (from) =>
      html`You allowed the request${from}. Access can be ended at any time under <a href="/dashboard/apps">Connected apps</a>.`,
    again: 'Go to',
  },
  denied: {
    title: 'You did not allow this',
    text: (from) => html`You did not allow the request${from}. Nothing was shared and no money moved.`,
    again: 'Start again at',
  },
  expired: {
    title: 'This request has ended',
    text: (from) =>
      html`A request${from} to connect works for a short time, and this one took too long. Nothing was shared and no money moved.`,
    again: 'Start again at',
  },
  ended: {
    title: 'This request has ended',
    text: (from) => html`A request${from} to connect works once, for a short time, and only in the browser in which it was begun.`,
    again: 'Start again at',
  },
};

function wayBack({ client, ending }: EndedRequestModel): Html {
  const homeUrl = client?.homeUrl;
  if (homeUrl && isWebAddress(homeUrl))
    return html`<p>${buttonLink(homeUrl, html`<span>${ENDINGS[ending].again} ${untrustedText(new URL(homeUrl).host)}</span>`)}</p>`;
  return ending === 'allowed' ? html`<p>You can go back to the app.</p>` : html`<p>Go back to the app and connect again from there.</p>`;
}

/** Registration allows web addresses only; the link checks again. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/** A challenge that can no longer be answered, often from the browser's Back: the page offers a way on, and says only what is certain. */
export function endedRequestPage(model: EndedRequestModel): Html {
  const { client, ending } = model;
  const { title, text } = ENDINGS[ending];
  const body = html`<div class="card" data-testid="error-${ending}">
    <h1>${title}</h1>
    <p>${text(client && html` from <b>${untrustedText(client.name)}</b>`)}</p>
    ${wayBack(model)} ${report(model)} ${wayHome}
  </div>`;
  return gatePage(model.frame, {
    title: client ? `The request from ${outsideText(client.name)} has ended` : 'This request has ended',
    body,
  });
}

/** Letters and digits that people do not confuse, in writing or by telephone. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const four = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** What an error page shows and the log repeats: "R7QK-2M4D". */
export const newReference = (): string => `${four()}-${four()}`;
