import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';

/** What a form belongs to: a session once somebody is signed in, the interaction (one visit to a gate page) before. */
export type CsrfBinding = `session:${string}` | `interaction:${string}`;

const SALT_BYTES = 12;
const MAC_BYTES = 32;
const TOKEN_LENGTH = Math.ceil(((SALT_BYTES + MAC_BYTES) * 4) / 3);

/** A key of its own for this purpose, so that nothing else signed under the secret can pass here. */
const deriveKey = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'sluice page csrf v1', MAC_BYTES));

/** Tokens that tie a form to the session or interaction it was shown to. Nothing is stored; a token lives as long as what it is bound to. */
@Injectable()
export class Csrf {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  constructor(config: Config) {
    const previous = config.secretKeyPrevious === undefined ? [] : [deriveKey(config.secretKeyPrevious)];
    this.#keys = [deriveKey(config.secretKey), ...previous];
  }

  /** A token for the hidden field `csrf`. Salted, so that no two pages show the same and compression gives nothing away. */
  token(binding: CsrfBinding): string {
    const salt = randomBytes(SALT_BYTES);
    return Buffer.concat([salt, this.#mac(this.#keys[0], salt, binding)]).toString('base64url');
  }

  /** Whether `token` was made for `binding`, under the present secret or the one before it. Takes the same time for any wrong token of the right length. */
  verify(binding: CsrfBinding, token: string): boolean {
    if (token.length !== TOKEN_LENGTH) return false;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== SALT_BYTES + MAC_BYTES) return false;
    const [salt, mac] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)];
    return this.#keys.map((key) => timingSafeEqual(this.#mac(key, salt, binding), mac)).includes(true);
  }

  #mac(key: Buffer, salt: Buffer, binding: CsrfBinding): Buffer {
    return createHmac('sha256', key).update(salt).update(binding, 'utf8').digest();
  }
}
