/** The first cookie of this name, or undefined. Values of ours need no decoding. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** Names of the cookies that begin like this, in the order in which the browser sends them: the oldest first (RFC 6265 section 5.4). */
export const cookieNames = (header: string | undefined, start: string): readonly string[] =>
  (header?.split(';') ?? []).map((pair) => pair.split('=', 1)[0]?.trim() ?? '').filter((name) => name.startsWith(start));

/** `__Host-` keeps a cookie from being set for us by a sibling domain or over plain http; browsers drop it where our address is plain http. */
export const cookieName = (name: string, publicUrl: string): string => (publicUrl.startsWith('https:') ? `__Host-${name}` : name);

/** A `Set-Cookie` header. Lax and not Strict, because people always arrive from the app's own site. */
export const setCookie = (name: string, value: string, publicUrl: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;
