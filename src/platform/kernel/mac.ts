import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export const MAC_BYTES = 32;

/** Message authentication codes (HMAC-SHA-256) of one purpose. While a previous secret is set, codes made with it verify too. */
export class Mac {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /** @param purpose gives the codes a key of their own, so that no other value signed under the secret is valid as one */
  constructor(purpose: string, secret: string, previous?: string) {
    const keyOf = (from: string): Buffer => Buffer.from(hkdfSync('sha256', from, '', purpose, MAC_BYTES));
    this.#keys = [keyOf(secret), ...(previous === undefined ? [] : [keyOf(previous)])];
  }

  /** @param parts are joined without a separator: all but one have a fixed length */
  of(...parts: readonly (string | Buffer)[]): Buffer {
    return macOf(this.#keys[0], parts);
  }

  /** Takes the same time for every wrong code. @param code of MAC_BYTES bytes */
  verify(code: Buffer, ...parts: readonly (string | Buffer)[]): boolean {
    return this.#keys.map((key) => timingSafeEqual(macOf(key, parts), code)).includes(true);
  }
}

const macOf = (key: Buffer, parts: readonly (string | Buffer)[]): Buffer =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', key)).digest();
