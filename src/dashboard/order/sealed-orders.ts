import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';
import { newId } from '../../platform/kernel/uuid.js';
import { orNone } from '../../platform/kernel/or-none.js';

export type Opened<Order> = Order & {
  /** Names the attempt: however often it is confirmed, one payment is made. */
  readonly id: string;
  readonly isOver: boolean;
};

/** The prices and routes that a person has seen are not much older. */
const KEPT_MS = 15 * 60_000;

/** JSON has no bigint. Text that a person has typed is never taken for one, because it is no object. */
const toJson = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? { bigint: String(value) } : value);
const fromJson = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'bigint' in value ? BigInt(value.bigint as string) : value;

/**
 * An order in the address of its review page: encrypted, and for one person alone. The server stores nothing; a reload, the browser's Back
 * and a second click name the same attempt.
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

  /** @param id of an order that this one replaces: both are one attempt */
  seal(context: string, order: object, id = newId()): string {
    const sealed = { ...order, id, untilMs: this.clock.now() + KEPT_MS };
    return this.#cipher.encrypt(Buffer.from(JSON.stringify(sealed, toJson)), context).toString('base64url');
  }

  /** @returns null for what this server has not sealed in this context */
  open<Order>(context: string, text: string): Opened<Order> | null {
    const plain = orNone(() => this.#cipher.decrypt(Buffer.from(text, 'base64url'), context).toString());
    if (plain === undefined) return null;
    const { untilMs, ...order } = JSON.parse(plain, fromJson) as Opened<Order> & { readonly untilMs: number };
    return { ...order, isOver: untilMs <= this.clock.now() } as unknown as Opened<Order>;
  }
}
