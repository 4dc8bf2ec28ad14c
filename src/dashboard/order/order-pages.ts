import { Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { isGone, waitFor, WaitsElsewhere } from '../../edge/http/index.js';
import { PageError, PageForm, type Form, type Html, type HtmlValue, type ShellFrame } from '../../edge/page/index.js';
import type { Payer, PaymentOrder, PaymentService } from '../../money/payment/index.js';
import { walletOf, type AccountFlow, type AccountRow, type Currency } from '../../money/wallet/index.js';
import type { PayerAccounts } from '../account/payer-accounts.js';
import { paths } from '../paths.js';
import type { Answer, Screen } from '../screen.js';
import type { EndedReview, OrderKind, OrderModel } from './order.view.js';
import type { Opened, SealedOrders } from './sealed-orders.js';

export type OrderForm<Typed, Fault> = Typed & { readonly fault?: Fault | undefined; readonly ended?: EndedReview };

export interface TypedOrder<Typed> {
  readonly typed: Typed;
}

export type Checked<Fault> = { readonly kind: 'ready'; readonly order: string } | ({ readonly kind: 'fault' } & Fault);

export interface ReviewRequest {
  readonly sealed: string;
  readonly refusal: HtmlValue;
}

interface OrderViews<Typed, Fault, FormModel, Model> {
  readonly kind: OrderKind;
  readonly empty: Typed;
  readonly form: (model: FormModel & { readonly frame: ShellFrame; readonly form: OrderForm<Typed, Fault> }) => Html;
  readonly review: (model: Model & { readonly frame: ShellFrame }) => Html;
}

/** A form that moves money, and the review by which a person confirms it. */
export abstract class OrderPages<
  Order extends TypedOrder<Typed>,
  Typed,
  Fault extends { readonly flow?: AccountFlow },
  FormModel extends object,
  Model extends Omit<OrderModel, 'frame'>,
> {
  /** Of the payments' attempts, and of the orders' encryption. */
  protected abstract readonly name: string;
  protected abstract readonly views: OrderViews<Typed, Fault, FormModel, Model>;

  constructor(
    protected readonly accounts: PayerAccounts,
    private readonly payments: PaymentService,
    private readonly orders: SealedOrders,
  ) {}

  protected abstract typedIn(form: Form): Typed;
  protected abstract checked(visitor: Visitor, typed: Typed): Promise<Checked<Fault>>;
  /** @param refusing the limit that an error of the form states already */
  protected abstract formModel(visitor: Visitor, refusing?: AccountFlow): Promise<FormModel>;
  protected abstract sourceOf(order: Order): { readonly currency: Currency; readonly memo: string | null };
  protected abstract modelOf(account: AccountRow, order: Opened<Order>, request: ReviewRequest): Promise<Model>;
  protected abstract paymentOf(account: AccountRow, order: Order): PaymentOrder;
  protected abstract isWorse(order: Order, account: AccountRow): boolean | Promise<boolean>;

  @Get()
  form(@Query('order') sealed: unknown, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const typed = this.open(visitor, sealed)?.typed ?? this.views.empty;
    return this.formScreen(visitor, { ...typed, fault: undefined }, 200);
  }

  @Post()
  async check(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form): Promise<Answer> {
    const typed = this.typedIn(form);
    const checked = await this.checked(visitor, typed);
    if (checked.kind === 'ready') return { seeOther: this.views.kind.reviewOf(checked.order) };
    return this.formScreen(visitor, { ...typed, fault: checked }, 422);
  }

  @Get('review')
  @WaitsElsewhere()
  review(@Query('order') sealed: unknown, @CurrentVisitor() visitor: Visitor): Promise<Answer> {
    return this.reviewed(visitor, sealed);
  }

  /** Pays the order, or shows the payment that an earlier confirmation of it has begun. */
  @Post('review')
  async confirm(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Req() request: FastifyRequest): Promise<Answer> {
    const sealed = form.text('order');
    const order = this.open(visitor, sealed);
    if (!order || order.isOver) return this.reviewed(visitor, sealed);
    const account = await this.accounts.getOfUser(visitor.user.id);
    if (await this.isWorse(order, account)) return this.reviewed(visitor, sealed);
    const payer = { ...this.payerOf(visitor, account, order), isGone: () => isGone(request), isAtPage: true };
    const start = await this.payments.begin(payer, this.paymentOf(account, order));
    const outcome = start.kind === 'begun' ? await waitFor(request, start.end) : start;
    const refusal = await this.accounts.refusalIn(outcome, account);
    if (refusal !== undefined) return this.reviewed(visitor, sealed, refusal);
    if (outcome.kind === 'already_paid') return this.reviewed(visitor, sealed);
    // The history may not have it yet, or ever: the person looks again, and the same order pays once.
    if (outcome.kind === 'unconfirmed') throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
    return 'transactionId' in outcome ? { seeOther: paths.transaction(outcome.transactionId) } : this.unknown(visitor);
  }

  protected seal(userId: string, order: Order, id?: string): string {
    return this.orders.seal(this.contextOf(userId), order, id);
  }

  private async reviewed(visitor: Visitor, sealed: unknown, refusal: HtmlValue = null): Promise<Answer> {
    const order = this.open(visitor, sealed);
    if (!order || typeof sealed !== 'string') return this.unknown(visitor);
    const account = await this.accounts.getOfUser(visitor.user.id);
    const earlier = await this.payments.findEarlier(this.payerOf(visitor, account, order));
    if (earlier && 'transactionId' in earlier) return { seeOther: paths.transaction(earlier.transactionId) };
    if (order.isOver) return this.formScreen(visitor, { ...order.typed, ended: 'over' }, 410);
    const model = await this.modelOf(account, order, { sealed, refusal });
    return { draw: (frame) => this.views.review({ ...model, frame }), status: model.error === null ? 200 : 422 };
  }

  private unknown(visitor: Visitor): Promise<Screen> {
    return this.formScreen(visitor, { ...this.views.empty, ended: 'unknown' }, 410);
  }

  private async formScreen(visitor: Visitor, form: OrderForm<Typed, Fault>, status: number): Promise<Screen> {
    const model = await this.formModel(visitor, form.fault?.flow);
    return { draw: (frame) => this.views.form({ ...model, frame, form }), status };
  }

  private open({ user }: Visitor, sealed: unknown): Opened<Order> | null {
    return typeof sealed === 'string' ? this.orders.open<Order>(this.contextOf(user.id), sealed) : null;
  }

  private contextOf(userId: string): string {
    return `${this.name} of ${userId}`;
  }

  private payerOf({ principal, user }: Visitor, account: AccountRow, order: Opened<Order>): Payer {
    const { currency, memo } = this.sourceOf(order);
    return { userId: user.id, walletId: walletOf(account, currency).id, memo, principal, attempt: `${this.name} ${order.id}` };
  }
}
