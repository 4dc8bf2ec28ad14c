import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';
import { cookieOptions, type NewCookie } from '../../edge/http/index.js';

const COOKIE = 'sluice-once';
const KEPT_SECONDS = 120;

/**
 * Carries a secret from a POST to the page that shows it: encrypted, in a cookie for that page's address only. The server stores nothing,
 * so any process can show it; the page that shows it deletes the cookie.
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
    reply.setCookie(COOKIE, this.#cipher.encrypt(Buffer.from(secret), path).toString('base64url'), this.#options(path, KEPT_SECONDS));
  }

  take(reply: FastifyReply, path: string): string | null {
    const ciphertext = reply.request.cookies[COOKIE];
    if (ciphertext === undefined) return null;
    reply.setCookie(COOKIE, '', this.#options(path, 0));
    try {
      return this.#cipher.decrypt(Buffer.from(ciphertext, 'base64url'), path).toString();
    } catch {
      return null;
    }
  }

  #options(path: string, seconds: number): NewCookie['options'] {
    return { ...cookieOptions(this.#publicUrl, seconds), path, sameSite: 'strict' };
  }
}
