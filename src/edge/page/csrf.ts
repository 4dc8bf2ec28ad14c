import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Mac, MAC_BYTES } from '../../platform/kernel/mac.js';
import type { IncomingHttpHeaders } from 'node:http';

/** A form is bound to a session, a pre-session (`interaction:` too, because open forms have its MAC), or an interaction. */
export type CsrfBinding = `session:${string}` | `interaction:${string}`;

const SALT_BYTES = 12;

/** Tokens that bind a form to what it was shown to. Nothing is stored; a token is valid as long as its binding. */
@Injectable()
export class Csrf {
  readonly #mac: Mac;

  constructor({ secretKey, secretKeyPrevious }: Config) {
    this.#mac = new Mac('sluice page csrf v1', secretKey, secretKeyPrevious);
  }

  /** The salt makes each token different, so that compression reveals nothing. */
  token(binding: CsrfBinding): string {
    const salt = randomBytes(SALT_BYTES);
    return Buffer.concat([salt, this.#mac.of(salt, binding)]).toString('base64url');
  }

  /** Accepts the previous secret too. Takes the same time for any wrong token of the right length. */
  verify(binding: CsrfBinding, token: string): boolean {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== SALT_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return false;
    const [salt, mac] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)];
    return this.#mac.verify(mac, salt, binding);
  }
}

/**
 * One of two checks against forged posts, beside the CSRF token. Over plain http beyond loopback browsers send no `Sec-Fetch-Site`, so
 * `Origin` must match; `Origin: null` alone proves nothing, because every sandboxed frame sends it.
 * @param publicUrl the address from the configuration, never from the request
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
