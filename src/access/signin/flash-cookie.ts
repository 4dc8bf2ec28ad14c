import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { cookieName, cookieOptions, type NewCookie } from '../../edge/http/index.js';
import type { Redirect } from '../../edge/page/index.js';

const PREFIX = 'sluice-once-';
/** From a form to the page after it. */
const NEXT_PAGE = { seconds: 120, sameSite: 'strict' } as const;

interface Kept {
  readonly seconds: number;
  /** `lax`: another site leads back to the page. */
  readonly sameSite: 'lax' | 'strict';
}

/**
 * Carries a secret to a later page, such as the one that shows what a POST created: encrypted for that page's address, in a cookie of its own. The server stores
 * nothing, so any process can show it; the page that shows it deletes the cookie. Its name has the prefix of `cookieName`, which a cookie with a path
 * could not have: otherwise a neighbouring host could put the journey of a thief into a person's browser.
 */
@Injectable()
export class FlashCookie {
  readonly #cipher: SecretCipher;
  readonly #publicUrl: string;

  constructor(config: Config) {
    this.#cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
    this.#publicUrl = config.publicUrl;
  }

  keep(reply: FastifyReply, path: string, secret: string, kept: Kept = NEXT_PAGE): void {
    reply.setCookie(this.#name(path), this.#cipher.encrypt(Buffer.from(secret), path).toString('base64url'), this.#options(kept));
  }

  /** Keeps it for a page that shows it once, and leads there. */
  show(reply: FastifyReply, path: string, secret: string): Redirect {
    this.keep(reply, path, secret);
    return { seeOther: path };
  }

  take(reply: FastifyReply, path: string): string | null {
    const ciphertext = reply.request.cookies[this.#name(path)];
    if (ciphertext === undefined) return null;
    reply.setCookie(this.#name(path), '', this.#options({ ...NEXT_PAGE, seconds: 0 }));
    return orNone(() => this.#cipher.decrypt(Buffer.from(ciphertext, 'base64url'), path).toString()) ?? null;
  }

  #name(path: string): string {
    return cookieName(`${PREFIX}${hash('sha256', path, 'base64url').slice(0, 10)}`, this.#publicUrl);
  }

  #options({ seconds, sameSite }: Kept): NewCookie['options'] {
    return { ...cookieOptions(this.#publicUrl, seconds), sameSite };
  }
}
