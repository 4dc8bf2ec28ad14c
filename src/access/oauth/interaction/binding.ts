import { randomBytes } from 'node:crypto';
import { cookieName, cookieOptions, type Cookies, type NewCookie } from '../../../edge/http/index.js';

const BYTES = 32;
const HANDLE = /^[A-Za-z0-9_-]{43}$/;
/** Maximum of cookies per browser: many requests must not exceed what a server reads. */
const MAX_COOKIES = 12;

export const newHandle = (): string => randomBytes(BYTES).toString('base64url');

export const isHandle = (text: string): boolean => HANDLE.test(text);

const PREFIX = 'sluice-i-';
const nameOf = (challenge: string, publicUrl: string): string => cookieName(`${PREFIX}${challenge.slice(0, 10)}`, publicUrl);

/** The secret that binds a request to this browser: one cookie per request, so that several tabs can sign in at once. */
export const bindingIn = (cookies: Cookies, challenge: string, publicUrl: string): string | undefined =>
  cookies[nameOf(challenge, publicUrl)];

export function bindingCookies(
  cookies: Cookies,
  challenge: string,
  binding: string,
  publicUrl: string,
  maxAgeSeconds: number,
): NewCookie[] {
  // A browser sends the oldest first (RFC 6265 section 5.4).
  const held = Object.keys(cookies).filter((name) => name.startsWith(cookieName(PREFIX, publicUrl)));
  const dropped = held.slice(0, Math.max(0, held.length - MAX_COOKIES + 1));
  return [
    ...dropped.map((name) => ({ name, value: '', options: cookieOptions(publicUrl, 0) })),
    { name: nameOf(challenge, publicUrl), value: binding, options: cookieOptions(publicUrl, maxAgeSeconds) },
  ];
}
