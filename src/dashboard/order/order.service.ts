import type { Visitor } from '../../edge/auth/index.js';
import { isGone, waitFor, type Caller } from '../../edge/http/index.js';
import { PageError, type HtmlValue } from '../../edge/page/index.js';
import type { Payer, PaymentOrder, PaymentService } from '../../money/payment/index.js';
import { walletOf, type AccountFlow, type AccountRow, type Currency } from '../../money/wallet/index.js';
import type { PayerAccounts } from '../account/payer-accounts.js';
import type { OrderModel } from './order.view.js';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';
import { newId } from '../../platform/kernel/uuid.js';

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
    try {
      const plain = this.#cipher.decrypt(Buffer.from(text, 'base64url'), context).toString();
      const { untilMs, ...order } = JSON.parse(plain, fromJson) as Opened<Order> & { readonly untilMs: number };
      return { ...order, isOver: untilMs <= this.clock.now() } as unknown as Opened<Order>;
    } catch {
      return null;
    }
  }
}

export interface TypedOrder<Typed> {
  readonly typed: Typed;
}

export type Checked<Fault> = { readonly kind: 'ready'; readonly order: string } | ({ readonly kind: 'fault' } & Fault);

export type Reviewed<Typed, Model> =
  | { readonly kind: 'review'; readonly model: Model }
  | { readonly kind: 'begun'; readonly transactionId: string }
  /** It was not confirmed in time: no money moved. */
  | { readonly kind: 'over'; readonly typed: Typed }
  /** It can't be read, or is not of this person. */
  | { readonly kind: 'unknown' };

export interface ReviewRequest {
  readonly sealed: string;
  readonly refusal: HtmlValue;
}

export abstract class OrderService<Order extends TypedOrder<Typed>, Typed, Fault, FormModel, Model extends Omit<OrderModel, 'frame'>> {
  protected abstract readonly name: string;

  constructor(
    protected readonly accounts: PayerAccounts,
    protected readonly payments: PaymentService,
    private readonly orders: SealedOrders,
  ) {}

  abstract check(visitor: Visitor, typed: Typed): Promise<Checked<Fault>>;
  /** @param refusing the limit that an error of the form states already */
  abstract form(visitor: Visitor, refusing?: AccountFlow): Promise<FormModel>;
  protected abstract sourceOf(order: Order): { readonly currency: Currency; readonly memo: string | null };
  protected abstract modelOf(account: AccountRow, order: Opened<Order>, request: ReviewRequest): Promise<Model>;
  protected abstract paymentOf(account: AccountRow, order: Order): PaymentOrder;
  protected abstract isWorse(order: Order): boolean;

  typedIn({ user }: Visitor, sealed: string): Typed | undefined {
    return this.open(user.id, sealed)?.typed;
  }

  async review(visitor: Visitor, sealed: string, refusal: HtmlValue = null): Promise<Reviewed<Typed, Model>> {
    const order = this.open(visitor.user.id, sealed);
    if (!order) return { kind: 'unknown' };
    const account = await this.accounts.getOfUser(visitor.user.id);
    const earlier = await this.payments.findEarlier(this.payerOf(visitor, account, order));
    if (earlier && 'transactionId' in earlier) return { kind: 'begun', transactionId: earlier.transactionId };
    if (order.isOver) return { kind: 'over', typed: order.typed };
    return { kind: 'review', model: await this.modelOf(account, order, { sealed, refusal }) };
  }

  /** Pays the order, or returns the payment that an earlier confirmation of it has begun. */
  async confirm(visitor: Visitor, sealed: string, caller: Caller): Promise<Reviewed<Typed, Model>> {
    const order = this.open(visitor.user.id, sealed);
    if (!order) return { kind: 'unknown' };
    if (order.isOver || this.isWorse(order)) return this.review(visitor, sealed);
    const account = await this.accounts.getOfUser(visitor.user.id);
    const payer = { ...this.payerOf(visitor, account, order), isGone: () => isGone(caller) };
    const start = await this.payments.begin(payer, this.paymentOf(account, order));
    const outcome = start.kind === 'begun' ? await waitFor(caller, start.end) : start;
    const refusal = await this.accounts.refusalIn(outcome, account);
    if (refusal !== undefined) return this.review(visitor, sealed, refusal);
    if (outcome.kind === 'already_paid') return this.review(visitor, sealed);
    // The history may not have it yet, or ever: the person looks again, and the same order pays once.
    if (outcome.kind === 'unconfirmed') throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
    return 'transactionId' in outcome ? { kind: 'begun', transactionId: outcome.transactionId } : { kind: 'unknown' };
  }

  protected seal(userId: string, order: Order, id?: string): string {
    return this.orders.seal(this.contextOf(userId), order, id);
  }

  private open(userId: string, sealed: string): Opened<Order> | null {
    return this.orders.open<Order>(this.contextOf(userId), sealed);
  }

  private contextOf(userId: string): string {
    return `${this.name} of ${userId}`;
  }

  private payerOf({ principal, user }: Visitor, account: AccountRow, order: Opened<Order>): Payer {
    const { currency, memo } = this.sourceOf(order);
    return { userId: user.id, walletId: walletOf(account, currency).id, memo, principal, attempt: `${this.name} ${order.id}` };
  }
}
