import { Injectable } from '@nestjs/common';
import type { Msat } from '../../kernel/money.js';
import type { TypedAmount } from '../activity/amount.js';
import { SealedOrders, type Sealed } from '../activity/sealed-orders.js';

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

/** `amountMsat` is text. */
interface SealedSend extends Sealed, Omit<SendOrder, 'amountMsat'> {
  readonly amountMsat: string;
}

/** What a person is about to pay, in the address of its review page. */
@Injectable()
export class SendOrders {
  constructor(private readonly sealed: SealedOrders) {}

  seal(userId: string, order: Omit<SendOrder, 'id'>): string {
    return this.sealed.seal(contextOf(userId), { ...order, amountMsat: String(order.amountMsat) });
  }

  /** @returns null for what this server has not sealed for this person; `isOver`: it cannot be confirmed any more */
  open(userId: string, text: string): (SendOrder & { readonly isOver: boolean }) | null {
    const order = this.sealed.open<SealedSend>(contextOf(userId), text);
    return order && { ...order, amountMsat: BigInt(order.amountMsat) };
  }
}

const contextOf = (userId: string): string => `send order of ${userId}`;
