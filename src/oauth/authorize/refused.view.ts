import { randomInt } from 'node:crypto';
import { exact, facts, gatePage, html, inWords, type Frame, type Html } from '../../page/index.js';

/** Why the browser was not sent on, in the person's terms. Tests and bug reports find a page by `data-testid="error-<kind>"`. */
export type RefusalKind = 'client' | 'slow' | 'fault' | 'away';

const WORDS: Readonly<Record<RefusalKind, { readonly title: string; readonly text: string }>> = {
  client: {
    title: 'This app cannot connect',
    text: 'It sent you here with a request that this server does not accept, so you are not sent back to it. Nothing was shared and no money moved.',
  },
  slow: { title: 'Too many requests', text: 'Too much came from your network in a short time. Nothing was shared and no money moved.' },
  fault: {
    title: 'This page could not be made',
    text: 'The fault is ours, and it is written down under the reference below. Nothing was shared and no money moved.',
  },
  away: { title: 'Back in a moment', text: 'The database does not answer at present. Nothing was shared, and your money is where it was.' },
};

export interface RefusedModel {
  readonly frame: Frame;
  readonly kind: RefusalKind;
  /** By which the operator finds this in the log: "R7QK-2M4D". */
  readonly reference: string;
  /** For `slow` and `away`. The same number as the `Retry-After` header. */
  readonly retryAfterSeconds: number | null;
}

const hint = html`<p>The people who make the app can find the reason with the operator of this server. This reference helps them:</p>`;

/** An authorization request that cannot be answered at the app. It names no cause and links to nothing that nobody checked. */
export function refusedPage({ frame, kind, reference, retryAfterSeconds }: RefusedModel): Html {
  const { title, text } = WORDS[kind];
  const retry = retryAfterSeconds !== null && ` Try again ${inWords(retryAfterSeconds)}.`;
  const body = html`<div class="card" data-testid="error-${kind}">
    <h1>${title}</h1>
    <p>${text}${retry}</p>
    ${kind === 'client' && hint}
    ${facts([
      ['Reference', html`<code>${reference}</code>`],
      ['Time', exact(frame.now, frame)],
    ])}
    <p><a href="/dashboard">Go to your wallet</a></p>
  </div>`;
  return gatePage(frame, { title, body });
}

/** Letters and digits that nobody takes for one another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const four = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** What an error page shows and the log repeats. */
export const newReference = (): string => `${four()}-${four()}`;
