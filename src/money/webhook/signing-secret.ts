import { createHmac } from 'node:crypto';
import { randomBytes } from '../../platform/kernel/random.js';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/**
 * The headers of the Standard Webhooks convention, and the same under Svix's names.
 * @param secrets the current one, and during a rotation the previous one; without any there is no signature
 * @param timestamp seconds since the epoch by the clock of the database: receivers refuse what is minutes off
 */
export function deliveryHeaders(id: string, body: string, secrets: readonly Buffer[], timestamp: number): Record<string, string> {
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  const named = { id, timestamp: String(timestamp), ...(signatures.length > 0 && { signature: signatures.join(' ') }) };
  return Object.fromEntries(
    ['webhook', 'svix'].flatMap((prefix) => Object.entries(named).map(([name, value]) => [`${prefix}-${name}`, value])),
  );
}

const contextOf = (endpointId: string): string => `webhook endpoint ${endpointId}`;

@Injectable()
export class EndpointSecrets {
  readonly #cipher: SecretCipher;

  constructor({ secretKey, secretKeyPrevious }: Config) {
    this.#cipher = new SecretCipher(secretKey, secretKeyPrevious);
  }

  /** A new secret: as its owner sees it once, and as it is stored. */
  make(endpointId: string): { readonly text: string; readonly encrypted: Buffer } {
    const secret = randomBytes(SECRET_BYTES);
    return { text: `${PREFIX}${secret.toString('base64')}`, encrypted: this.#cipher.encrypt(secret, contextOf(endpointId)) };
  }

  /** @throws Error if it was encrypted under a `SECRET_KEY` that is not configured any more */
  decrypt(endpointId: string, encrypted: Buffer): Buffer {
    return this.#cipher.decrypt(encrypted, contextOf(endpointId));
  }
}
