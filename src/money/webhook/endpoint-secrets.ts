import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';

const contextOf = (endpointId: string): string => `webhook endpoint ${endpointId}`;

@Injectable()
export class EndpointSecrets {
  readonly #cipher: SecretCipher;

  constructor({ secretKey, secretKeyPrevious }: Config) {
    this.#cipher = new SecretCipher(secretKey, secretKeyPrevious);
  }

  encrypt(endpointId: string, secret: Buffer): Buffer {
    return this.#cipher.encrypt(secret, contextOf(endpointId));
  }

  /** @throws Error if it was encrypted under a `SECRET_KEY` that is not configured any more */
  decrypt(endpointId: string, encrypted: Buffer): Buffer {
    return this.#cipher.decrypt(encrypted, contextOf(endpointId));
  }
}
