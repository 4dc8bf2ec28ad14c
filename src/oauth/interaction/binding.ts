import { randomBytes } from 'node:crypto';
import { cookieIn, cookieName, cookieNames, setCookie } from '../../http/index.js';

const BYTES = 32;
const HANDLE = /^[A-Za-z0-9_-]{43}$/;
/** Maximum of cookies per browser: many requests must not exceed what a server reads. */
const MAX_COOKIES = 12;

/** 256 random bits in 43 characters. */
export const newHandle = (): string => randomBytes(BYTES).toString('base64url');

/** Has this text the format of `newHandle`? */
export const isHandle = (text: string): boolean => HANDLE.test(text);

const PREFIX = 'sluice-i-';
const nameOf = (challenge: string, publicUrl: string): string => cookieName(`${PREFIX}${challenge.slice(0, 10)}`, publicUrl);

/** The secret that binds a request to this browser: one cookie per request, so that several tabs can sign in at once. */
export const bindingIn = (header: string | undefined, challenge: string, publicUrl: string): string | undefined =>
  cookieIn(header, nameOf(challenge, publicUrl));

/** `Set-Cookie` headers that bind `challenge` to a browser, and delete the oldest of too many. */
export function bindingCookies(
  header: string | undefined,
  challenge: string,
  binding: string,
  publicUrl: string,
  maxAgeSeconds: number,
): string[] {
  const held = cookieNames(header, cookieName(PREFIX, publicUrl));
  const dropped = held.slice(0, Math.max(0, held.length - MAX_COOKIES + 1));
  return [
    ...dropped.map((name) => setCookie(name, '', publicUrl, 0)),
    setCookie(nameOf(challenge, publicUrl), binding, publicUrl, maxAgeSeconds),
  ];
}
