import cookie, { type CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';

/** With `__Host-` neither a sibling domain nor plain http can set the cookie; over plain http browsers reject the prefix. */
export const cookieName = (name: string, publicUrl: string): string => (publicUrl.startsWith('https:') ? `__Host-${name}` : name);

/** Lax and not Strict, because people arrive from the app's own site. 0 seconds delete it. */
export const cookieOptions = (publicUrl: string, maxAgeSeconds: number): CookieSerializeOptions => ({
  path: '/',
  maxAge: maxAgeSeconds,
  httpOnly: true,
  secure: publicUrl.startsWith('https:'),
  sameSite: 'lax',
});

export type Cookies = Readonly<Record<string, string | undefined>>;

export interface NewCookie {
  readonly name: string;
  readonly value: string;
  readonly options: CookieSerializeOptions;
}

export const registerCookies = async (fastify: FastifyInstance): Promise<void> =>
  void (await fastify.register(cookie, { hook: 'onRequest' }));
