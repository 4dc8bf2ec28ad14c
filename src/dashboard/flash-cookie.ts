import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/index.js';
import { SecretCipher } from '../kernel/secret-cipher.js';
import { cookieIn } from '../http/index.js';

const COOKIE = 'sluice-once';
const KEPT_SECONDS = 120;

/**
 * Carries a secret, or what a person typed, from a POST to the page that shows it: sealed, in a cookie for that page's address only. The
 * server stores nothing, so any process can show it; the page that shows it deletes the cookie.
 */
@Injectable()
export class FlashCookie {
  readonly #box: SecretCipher;
  readonly #secure: string;

  constructor(config: Config) {
    this.#box = new SecretCipher(config.secretKey, config.secretKeyPrevious);
    this.#secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  }

  keep(reply: FastifyReply, path: string, secret: string): void {
    reply.header('set-cookie', this.cookie(path, secret));
  }

  /** The `Set-Cookie` header. */
  cookie(path: string, secret: string, { name = COOKIE, seconds = KEPT_SECONDS } = {}): string {
    return this.#cookie(name, { value: this.#box.seal(Buffer.from(secret), path).toString('base64url'), path, seconds });
  }

  /** The secret, if it has not been shown yet; the response deletes the cookie. */
  take(request: FastifyRequest, reply: FastifyReply, path: string, name = COOKIE): string | null {
    const sealed = cookieIn(request.headers.cookie, name);
    if (sealed === undefined) return null;
    reply.header('set-cookie', this.#cookie(name, { value: '', path, seconds: 0 }));
    try {
      return this.#box.open(Buffer.from(sealed, 'base64url'), path).toString();
    } catch {
      return null;
    }
  }

  #cookie(name: string, { value, path, seconds }: { value: string; path: string; seconds: number }): string {
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${this.#secure}`;
  }
}
