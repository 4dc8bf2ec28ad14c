type Query = Readonly<Record<string, unknown>>;

/** Where a sign-in leads; the addresses of the sign-in pages carry it. */
export interface ReturnTo {
  /** The authorization request that waits for the sign-in. */
  readonly challenge?: string | undefined;
  /** The dashboard page that the person wanted to see; without it, and without a request, the wallet. */
  readonly to?: string | undefined;
}

const LONGEST = 256;
/** Any site can link to the sign-in, so it leads only to an address of this exact form, which no browser can read as another site's. */
const OWN_PAGE = /^\/dashboard(?:\/[\w-]+)+(?:\?[\w&=.-]*)?$/;

const isOwnPage = (path: unknown): path is string => typeof path === 'string' && path.length <= LONGEST && OWN_PAGE.test(path);

export function challengeIn(query: Query, name = 'login_challenge'): string | undefined {
  const challenge = query[name];
  return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
}

export function returnToIn(query: Query): ReturnTo {
  return { challenge: challengeIn(query), to: isOwnPage(query['to']) ? query['to'] : undefined };
}

/** Back to this page, if a link can lead to it: a form is not sent again automatically. */
export const returnToPage = ({ method, url }: { readonly method: string; readonly url: string }): ReturnTo => ({
  to: method === 'GET' && isOwnPage(url) ? url : undefined,
});

/** The address of a sign-in page with this destination. An app's request takes precedence over a page. */
export function withReturnTo(path: string, { challenge, to }: ReturnTo): string {
  const lead = challenge !== undefined ? `login_challenge=${challenge}` : to !== undefined ? `to=${encodeURIComponent(to)}` : null;
  return lead === null ? path : `${path}${path.includes('?') ? '&' : '?'}${lead}`;
}
