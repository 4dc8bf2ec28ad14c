import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';

/** What a form is bound to: a session, a pre-session (`interaction:` too, because open forms have its MAC), or an interaction. */
export type CsrfBinding = `session:${string}` | `interaction:${string}`;

const SESSION = 'session:';
const SALT_BYTES = 12;
const MAC_BYTES = 32;
const TOKEN_LENGTH = Math.ceil(((SALT_BYTES + MAC_BYTES) * 4) / 3);

/** A separate key for this purpose, so that no other value signed under the secret is valid here. */
const deriveKey = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'sluice page csrf v1', MAC_BYTES));

/** Tokens that bind a form to what it was shown to. Nothing is stored; a token is valid as long as its binding. */
@Injectable()
export class Csrf {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  constructor(config: Config) {
    const previous = config.secretKeyPrevious === undefined ? [] : [deriveKey(config.secretKeyPrevious)];
    this.#keys = [deriveKey(config.secretKey), ...previous];
  }

  /**
   * A token for the hidden field `csrf`. The salt makes each token different, so that compression reveals nothing. A session's token
   * contains the session's id, which is no secret.
   */
  token(binding: CsrfBinding): string {
    const salt = randomBytes(SALT_BYTES);
    const token = Buffer.concat([salt, this.#mac(this.#keys[0], salt, binding)]).toString('base64url');
    return binding.startsWith(SESSION) ? `${token}.${binding.slice(SESSION.length)}` : token;
  }

  /**
   * Whether `token` was made for `binding`, under the current secret or the previous one. Takes the same time for any wrong token of the
   * right length.
   */
  verify(binding: CsrfBinding, token: string): boolean {
    const own = token.slice(0, TOKEN_LENGTH);
    const bytes = Buffer.from(own, 'base64url');
    if (bytes.length !== SALT_BYTES + MAC_BYTES || bytes.toString('base64url') !== own) return false;
    if (token.slice(TOKEN_LENGTH) !== (binding.startsWith(SESSION) ? `.${binding.slice(SESSION.length)}` : '')) return false;
    const [salt, mac] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)];
    return this.#keys.map((key) => timingSafeEqual(this.#mac(key, salt, binding), mac)).includes(true);
  }

  /** The session that this token was made for, open or ended; null unless Sluice made it. */
  sessionOf(token: string): string | null {
    const id = token.slice(TOKEN_LENGTH + 1);
    return this.verify(`${SESSION}${id}`, token) ? id : null;
  }

  #mac(key: Buffer, salt: Buffer, binding: CsrfBinding): Buffer {
    return createHmac('sha256', key).update(salt).update(binding, 'utf8').digest();
  }
}
