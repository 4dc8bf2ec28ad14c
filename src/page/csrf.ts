import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Mac, MAC_BYTES } from '../kernel/mac.js';

/** What a form is bound to: a session, a pre-session (`interaction:` too, because open forms have its MAC), or an interaction. */
export type CsrfBinding = `session:${string}` | `interaction:${string}`;

const SESSION = 'session:';
const SALT_BYTES = 12;
const TOKEN_LENGTH = Math.ceil(((SALT_BYTES + MAC_BYTES) * 4) / 3);

/** Tokens that bind a form to what it was shown to. Nothing is stored; a token is valid as long as its binding. */
@Injectable()
export class Csrf {
  readonly #mac: Mac;

  constructor({ secretKey, secretKeyPrevious }: Config) {
    this.#mac = new Mac('sluice page csrf v1', secretKey, secretKeyPrevious);
  }

  /**
   * A token for the hidden field `csrf`. The salt makes each token different, so that compression reveals nothing. A session's token
   * contains the session's id, which is no secret.
   */
  token(binding: CsrfBinding): string {
    const salt = randomBytes(SALT_BYTES);
    const token = Buffer.concat([salt, this.#mac.of(salt, binding)]).toString('base64url');
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
    return this.#mac.verify(mac, salt, binding);
  }

  /** The session that this token was made for, open or ended; null unless Sluice made it. */
  sessionOf(token: string): string | null {
    const id = token.slice(TOKEN_LENGTH + 1);
    return this.verify(`${SESSION}${id}`, token) ? id : null;
  }
}
