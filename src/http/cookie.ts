import type { FastifyReply } from 'fastify';

/** The first cookie of this name, or undefined. Sluice's values need no decoding. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/** Names of the cookies with this prefix, in the order in which the browser sends them: the oldest first (RFC 6265 section 5.4). */
export const cookieNames = (header: string | undefined, start: string): readonly string[] =>
  (header?.split(';') ?? []).map((pair) => pair.split('=', 1)[0]?.trim() ?? '').filter((name) => name.startsWith(start));

/** With `__Host-` neither a sibling domain nor plain http can set the cookie; over plain http browsers reject the prefix. */
export const cookieName = (name: string, publicUrl: string): string => (publicUrl.startsWith('https:') ? `__Host-${name}` : name);

/** A `Set-Cookie` header. Lax and not Strict, because people arrive from the app's own site. */
export const setCookie = (name: string, value: string, publicUrl: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

/** Adds a `Set-Cookie` header to those of the response. */
export function addCookie(reply: FastifyReply, cookie: string): void {
  const before = reply.getHeader('set-cookie');
  reply.header('set-cookie', before === undefined ? cookie : [before, cookie].flat());
}
