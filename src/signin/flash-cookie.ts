import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/index.js';
import { SecretCipher } from '../kernel/secret-cipher.js';
import { cookieOptions, type NewCookie } from '../http/index.js';

const COOKIE = 'sluice-once';
const KEPT_SECONDS = 120;

/**
 * Carries a secret, or what a person typed, from a POST to the page that shows it: encrypted, in a cookie for that page's address only. The
 * server stores nothing, so any process can show it; the page that shows it deletes the cookie.
 */
@Injectable()
export class FlashCookie {
  readonly #cipher: SecretCipher;
  readonly #publicUrl: string;

  constructor(config: Config) {
    this.#cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
    this.#publicUrl = config.publicUrl;
  }

  keep(reply: FastifyReply, path: string, secret: string): void {
    const { name, value, options } = this.encrypt(path, secret);
    reply.setCookie(name, value, options);
  }

  encrypt(path: string, secret: string, { name = COOKIE, seconds = KEPT_SECONDS } = {}): NewCookie {
    return { name, value: this.#cipher.encrypt(Buffer.from(secret), path).toString('base64url'), options: this.#options(path, seconds) };
  }

  /** The secret, if it has not been shown yet; the response deletes the cookie. */
  take(request: FastifyRequest, reply: FastifyReply, path: string, name = COOKIE): string | null {
    this.drop(request, reply, path, name);
    return this.read(request, path, name);
  }

  read(request: FastifyRequest, path: string, name = COOKIE): string | null {
    const ciphertext = request.cookies[name];
    if (ciphertext === undefined) return null;
    try {
      return this.#cipher.decrypt(Buffer.from(ciphertext, 'base64url'), path).toString();
    } catch {
      return null;
    }
  }

  /** The response deletes the cookie. */
  drop(request: FastifyRequest, reply: FastifyReply, path: string, name = COOKIE): void {
    if (request.cookies[name] !== undefined) reply.setCookie(name, '', this.#options(path, 0));
  }

  #options(path: string, seconds: number): NewCookie['options'] {
    return { ...cookieOptions(this.#publicUrl, seconds), path, sameSite: 'strict' };
  }
}
