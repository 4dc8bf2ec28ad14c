import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Msat } from '../../kernel/money.js';
import { SecretCipher } from '../../kernel/secret-cipher.js';
import { newId } from '../../kernel/uuid.js';
import type { TypedAmount } from '../activity/amount.js';

/** The send form as it was typed. */
export interface TypedSend extends TypedAmount {
  readonly to: string;
  readonly memo: string;
}

/** Who is paid: a wallet of this server, or an invoice. */
export type SendTarget =
  | { readonly kind: 'wallet'; readonly walletId: string; readonly username: string }
  | {
      readonly kind: 'invoice';
      readonly paymentRequest: string;
      /** The Lightning address that returned the invoice. */
      readonly address: string | null;
      /** In the words of the recipient. */
      readonly description: string | null;
      /** For an invoice without an amount. */
      readonly amountSats?: number;
    };

export interface SendOrder {
  /** Names the attempt: however often it is confirmed, one payment is made. */
  readonly id: string;
  readonly target: SendTarget;
  /** What the recipient gets. */
  readonly amountMsat: Msat;
  readonly typed: TypedSend;
}

/** Sealed, `amountMsat` is text. */
interface Sealed extends Omit<SendOrder, 'amountMsat'> {
  readonly amountMsat: string;
  readonly untilMs: number;
}

/** The prices and routes that a person has seen are not much older. */
const KEPT_MS = 15 * 60_000;

/**
 * What a person is about to pay, in the address of its review page: encrypted, and for this person alone. The server stores nothing; a
 * reload, the browser's Back and a second click name the same attempt.
 */
@Injectable()
export class SendOrders {
  readonly #cipher: SecretCipher;

  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    this.#cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
  }

  seal(userId: string, order: Omit<SendOrder, 'id'>): string {
    const sealed: Sealed = { ...order, id: newId(), amountMsat: String(order.amountMsat), untilMs: this.clock.now() + KEPT_MS };
    return this.#cipher.encrypt(Buffer.from(JSON.stringify(sealed)), contextOf(userId)).toString('base64url');
  }

  /** @returns null for what this server has not sealed for this person; `isOver`: it cannot be confirmed any more */
  open(userId: string, text: string): (SendOrder & { readonly isOver: boolean }) | null {
    try {
      const plain = this.#cipher.decrypt(Buffer.from(text, 'base64url'), contextOf(userId)).toString();
      const { untilMs, amountMsat, ...order } = JSON.parse(plain) as Sealed;
      return { ...order, amountMsat: BigInt(amountMsat), isOver: untilMs <= this.clock.now() };
    } catch {
      return null;
    }
  }
}

const contextOf = (userId: string): string => `send order of ${userId}`;
