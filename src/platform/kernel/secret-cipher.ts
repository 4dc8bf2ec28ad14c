import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { randomBytes } from './random.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;

/**
 * AES-256-GCM, for secrets that must be decrypted again.
 * @param key 32 bytes
 * @param context the kind and owner of the text; decryption needs the same, so that no ciphertext can replace another
 * @returns nonce, encrypted text and tag
 */
export function encrypt(key: Buffer, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context, 'utf8'));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error when `encrypt` did not make the ciphertext with this key and context */
export function decrypt(key: Buffer, ciphertext: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(ciphertext.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(ciphertext.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

interface CipherKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

function cipherKeyOf(secret: string): CipherKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sluice secret box v1', 32));
  return { key, id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES) };
}

/**
 * Encrypts secrets that Sluice must read again, under the configuration's secret: signing keys, and a new API key on its way to the page
 * that shows it.
 */
export class SecretCipher {
  readonly #current: CipherKey;
  readonly #readable: readonly CipherKey[];

  /** @param previous a former secret: only decrypts */
  constructor(secret: string, previous?: string) {
    this.#current = cipherKeyOf(secret);
    this.#readable = previous === undefined ? [this.#current] : [this.#current, cipherKeyOf(previous)];
  }

  /** @param context the kind and owner of the text: see `encrypt` */
  encrypt(plaintext: Buffer, context: string): Buffer {
    return Buffer.concat([this.#current.id, encrypt(this.#current.key, plaintext, context)]);
  }

  /** @throws Error when it was encrypted under a secret that is not configured (any more), or with another context */
  decrypt(ciphertext: Buffer, context: string): Buffer {
    const known = this.#readable.find(({ id }) => id.equals(ciphertext.subarray(0, KEY_ID_BYTES)));
    if (!known) throw new Error('Encrypted under a secret that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS');
    return decrypt(known.key, ciphertext.subarray(KEY_ID_BYTES), context);
  }
}
