type Query = Readonly<Record<string, unknown>>;

/** Where a sign-in leads, as it travels through the addresses of the gate pages. */
export interface Onward {
  /** The authorization request that waits behind it. */
  readonly challenge?: string | undefined;
  /** The page of the dashboard that somebody wanted to see; without it, and without a request, the wallet. */
  readonly to?: string | undefined;
}

const LONGEST = 256;
/** Anybody can write a link to our sign-in, so it leads only to what looks like a page of ours, letter by letter: nothing that a browser reads otherwise. */
const OWN_PAGE = /^\/dashboard(?:\/[\w-]+)+(?:\?[\w&=.-]*)?$/;

const isOwnPage = (path: unknown): path is string => typeof path === 'string' && path.length <= LONGEST && OWN_PAGE.test(path);

export function challengeIn(query: Query, name = 'login_challenge'): string | undefined {
  const challenge = query[name];
  return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
}

export function onwardIn(query: Query): Onward {
  return { challenge: challengeIn(query), to: isOwnPage(query['to']) ? query['to'] : undefined };
}

/** Back to this page, if it is one that a link can lead to: a form is not sent again by itself. */
export const onwardTo = ({ method, url }: { readonly method: string; readonly url: string }): Onward => ({
  to: method === 'GET' && isOwnPage(url) ? url : undefined,
});

/** The address of a gate page that leads on like this. The request of an app goes before a page. */
export function withOnward(path: string, { challenge, to }: Onward): string {
  const lead = challenge !== undefined ? `login_challenge=${challenge}` : to !== undefined ? `to=${encodeURIComponent(to)}` : null;
  return lead === null ? path : `${path}${path.includes('?') ? '&' : '?'}${lead}`;
}
