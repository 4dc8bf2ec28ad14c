import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { Clock } from '../../kernel/clock.js';
import { SecretCipher } from '../../kernel/secret-cipher.js';
import { newId } from '../../kernel/uuid.js';

/** What an order of any kind has beside what it is about. */
export interface Sealed {
  /** Names the attempt: however often it is confirmed, one payment is made. */
  readonly id: string;
  readonly untilMs: number;
}

/** The prices and routes that a person has seen are not much older. */
const KEPT_MS = 15 * 60_000;

/**
 * What a person is about to do with their money, in the address of its review page: encrypted, and for this person alone. The server stores
 * nothing; a reload, the browser's Back and a second click name the same attempt.
 */
@Injectable()
export class SealedOrders {
  readonly #cipher: SecretCipher;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.#cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
  }

  /** @param order as JSON stores it @param id of an order that this one replaces: both are one attempt */
  seal(context: string, order: object, id = newId()): string {
    const sealed = { ...order, id, untilMs: this.clock.now() + KEPT_MS };
    return this.#cipher.encrypt(Buffer.from(JSON.stringify(sealed)), context).toString('base64url');
  }

  /** @returns null for what this server has not sealed in this context; `isOver`: it cannot be confirmed any more */
  open<Order extends Sealed>(context: string, text: string): (Omit<Order, 'untilMs'> & { readonly isOver: boolean }) | null {
    try {
      const plain = this.#cipher.decrypt(Buffer.from(text, 'base64url'), context).toString();
      const { untilMs, ...order } = JSON.parse(plain) as Order;
      return { ...order, isOver: untilMs <= this.clock.now() };
    } catch {
      return null;
    }
  }
}
