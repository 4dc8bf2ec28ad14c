const SENT_AS = {
  key: '`X-API-KEY: <key>`',
  at: '`Oauth2-Token: <token>`, without `Bearer`',
  st: '`Authorization: Bearer <token>`',
} as const;
const HEADER_OF = { key: 'x-api-key', at: 'oauth2-token', st: 'authorization' } as const;
const NAMES = new Set<string>(Object.values(HEADER_OF));
const LOOKS_LIKE_ONE = /^(x-)?((blink-)?api[-_]?(key|token)|oauth2?[-_]?token|(access|auth|session)[-_]?token|authentication|token)$/i;
const WAYS = `Send an API key as ${SENT_AS.key}, an access token as ${SENT_AS.at}, or a session token as ${SENT_AS.st}.`;

type Belongs = { readonly known: keyof typeof SENT_AS; readonly what: string } | { readonly known: null; readonly advice: string } | null;

/** The text's prefix decides, without a look-up: the result is the same for valid and invalid secrets. */
function belongs(text: string, prefix: string): Belongs {
  if (!text.startsWith(`${prefix}_`)) return null;
  const kind = /^([a-z]{2})_/.exec(text.slice(prefix.length + 1))?.[1];
  if (kind === 'at') return { known: 'at', what: 'an OAuth access token' };
  if (kind === 'st') return { known: 'st', what: 'a session token' };
  if (kind === 'rt') return { known: null, advice: 'This is a refresh token. Exchange it at `/oauth2/token` for an access token.' };
  if (kind === 'ac') return { known: null, advice: 'This is an authorization code. Exchange it at `/oauth2/token` for an access token.' };
  if (kind === 'cs') return { known: null, advice: 'This is the secret of an OAuth client. It belongs to `/oauth2/token` only.' };
  return { known: 'key', what: 'an API key' };
}

function hintOfHeader(name: string, value: string, prefix: string): string | undefined {
  const isKnown = NAMES.has(name);
  // Node joins repeated headers with a comma. No credential contains one.
  const [first = '', ...more] = value.split(',').map((part) => part.trim());
  const [, bearer, secret = ''] = /^(Bearer +)?(.*)$/i.exec(first) ?? [];
  const found = belongs(secret, prefix);
  if (isKnown && more.length > 0) return `\`${name}\` was sent more than once or contains a comma. Send it once.`;
  if (!found) return isKnown || !LOOKS_LIKE_ONE.test(name) || first === '' ? undefined : `\`${name}\` is not a credential header. ${WAYS}`;
  if (found.known === null) return found.advice;
  const right = HEADER_OF[found.known] === name && (bearer !== undefined) === (found.known === 'st');
  return right ? undefined : `This is ${found.what}. Send it as ${SENT_AS[found.known]}.`;
}

export function credentialHint(presented: Readonly<Record<string, unknown>>, prefix: string): string | undefined {
  for (const [name, value] of Object.entries(presented)) {
    if (name === 'headers' && typeof value === 'object' && value !== null)
      return 'Credentials are keys of the payload itself: `{ "X-API-KEY": "<key>" }`, not `{ "headers": { … } }`.';
    const hint = typeof value === 'string' ? hintOfHeader(name.toLowerCase(), value, prefix) : undefined;
    if (hint !== undefined) return hint;
  }
  return undefined;
}
