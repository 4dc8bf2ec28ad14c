import { Injectable } from '@nestjs/common';
import { SealedOrders, type Sealed } from '../activity/sealed-orders.js';
import type { TypedAmount } from '../activity/amount.js';

/** A conversion between two wallets of one account, in satoshis and cents. */
export interface ConvertOrder {
  readonly id: string;
  /** The currency of the wallet that pays. */
  readonly from: 'BTC' | 'USD';
  readonly gives: bigint;
  /** What the person has seen that they get: a confirmation converts at no worse price. */
  readonly gets: bigint;
  readonly typed: TypedAmount;
}

/** Amounts are text. */
interface SealedConversion extends Sealed, Omit<ConvertOrder, 'gives' | 'gets'> {
  readonly gives: string;
  readonly gets: string;
}

/** What a person is about to convert, in the address of its review page. */
@Injectable()
export class ConvertOrders {
  constructor(private readonly sealed: SealedOrders) {}

  /** @param id of the order whose price has changed: both are one attempt */
  seal(userId: string, { gives, gets, ...order }: Omit<ConvertOrder, 'id'>, id?: string): string {
    return this.sealed.seal(contextOf(userId), { ...order, gives: String(gives), gets: String(gets) }, id);
  }

  /** @returns null for what this server has not sealed for this person */
  open(userId: string, text: string): (ConvertOrder & { readonly isOver: boolean }) | null {
    const order = this.sealed.open<SealedConversion>(contextOf(userId), text);
    return order && { ...order, gives: BigInt(order.gives), gets: BigInt(order.gets) };
  }
}

const contextOf = (userId: string): string => `conversion of ${userId}`;
