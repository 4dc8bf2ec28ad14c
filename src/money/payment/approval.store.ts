import { Injectable } from '@nestjs/common';
import type { Principal } from '../../edge/auth/index.js';
import { columns, Database, queryOne, sql } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { msatOfSats, satsCeil } from '../../platform/kernel/money.js';
import { centsCosting, DealerService } from '../price/index.js';
import { AccountService, type Currency } from '../wallet/index.js';
import { PaymentApprovalEntity } from './payment-approval.entity.js';
import { refused, type Approval, type PaymentOutcome } from './payment.outcome.js';
import type { BeginRequest } from './payment.store.js';
import type { AskedOrder, PaymentOrder } from './rails/order.js';
import type { PaymentQuote } from './rails/rail.js';

/** Who asks, for what, at which price. */
export interface AskedPayment {
  readonly principal: Principal;
  readonly memo?: string | null | undefined;
  readonly order: PaymentOrder;
  readonly request: BeginRequest;
  readonly payee: PaymentQuote['payee'];
}

const APPROVAL = columns(PaymentApprovalEntity);
const FIND = sql`SELECT ${APPROVAL.of('w')} FROM payment_approval w WHERE w.id = $1`;
const ASK = sql`SELECT verdict, id, expires_at AS "expiresAt" FROM payment_approval_add($1::jsonb, $2::jsonb)`;
const APPROVE = sql`SELECT payment_approve($1, $2) AS approved`;
const END = sql`SELECT payment_approval_end(ARRAY[$1::uuid], $2, $3) AS ended`;
const SWEEP = sql`SELECT payment_approval_sweep()`;

/** Payments that wait for their owner: each step is one SQL call. */
@Injectable()
export class ApprovalStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly accounts: AccountService,
    private readonly dealer: DealerService,
  ) {}

  /** Nothing is held, moved or locked by what waits. The same order again waits no second time. */
  async ask({ request, ...asked }: AskedPayment): Promise<PaymentOutcome> {
    const wallet = await this.accounts.findWallet(request.walletId);
    if (!wallet) return refused('unknown_wallet');
    const values = [rowOf(asked, request), historyOf(request, wallet.currency, this.dealer.centsPerBtc)];
    const { verdict, ...approval } = await queryOne<Approval & { verdict: 'waits' | 'too_many_waiting' | 'unknown_wallet' }>(
      this.database,
      ASK,
      values.map((value) => JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))),
    );
    this.events.poll();
    return verdict === 'waits' ? { kind: 'pending', transactionId: approval.id, approval } : refused(verdict);
  }

  async find(id: string): Promise<PaymentApprovalEntity | undefined> {
    return (await this.database.query<PaymentApprovalEntity>(FIND, [id]))[0];
  }

  async approve(userId: string, id: string): Promise<boolean> {
    const { approved } = await queryOne<{ approved: boolean }>(this.database, APPROVE, [id, userId]);
    this.events.poll();
    return approved;
  }

  /** @param failure why it is not made; null: its payment has begun. @returns false if it is in another state, or has not begun */
  async end(id: string, state: 'waiting' | 'approved', failure: string | null): Promise<boolean> {
    const { ended } = await queryOne<{ ended: readonly string[] }>(this.database, END, [id, state, failure]);
    this.events.poll();
    return ended.length > 0;
  }

  /** Ends what has waited too long, and what ended keys and apps have asked for. */
  async sweep(): Promise<void> {
    await this.database.query(SWEEP);
    this.events.poll();
  }
}

function rowOf({ principal, order, memo = null, payee }: Omit<AskedPayment, 'request'>, request: BeginRequest): object {
  const { id, userId, walletId, principalId, clientId, paymentHash, amountMsat, feeLimitMsat, expiresAt, payout } = request;
  const paymentOrder: AskedOrder = { order, memo, node: 'nodeId' in payee ? payee.nodeId : null };
  return {
    id,
    user_id: userId,
    wallet_id: walletId,
    asker: principal.clientId ?? principalId,
    principal_kind: principal.kind,
    principal_id: principalId,
    client_id: clientId,
    scopes: [...principal.scopes],
    payment_order: paymentOrder,
    payment_hash: paymentHash,
    amount_msat: amountMsat,
    // The fees of bitcoin's network move within an hour.
    most_msat: amountMsat + (payout ? (feeLimitMsat * 3n) / 2n : feeLimitMsat),
    payee: ('payee' in order ? order.payee : 'address' in order ? order.address : undefined) ?? null,
    expires_at: expiresAt,
  };
}

/** An address may be of another user: the row shows that no sooner than the payment does. */
function historyOf(request: BeginRequest, currency: Currency, centsPerBtc: bigint | null): object {
  const { id, walletId, memo, paymentHash, paymentRequest, recipientWalletId } = request;
  const { cost, fee } = mostOf(request, currency);
  const via = paymentHash !== null ? 'ln' : paymentRequest !== null ? 'onchain' : 'intraledger';
  return {
    id,
    wallet_id: walletId,
    direction: 'SEND',
    status: 'PENDING',
    amount: -cost,
    fee,
    memo,
    initiation: via,
    settlement: via,
    payment_hash: paymentHash,
    payment_request: paymentHash === null ? null : paymentRequest,
    counterparty_wallet_id: via === 'intraledger' ? recipientWalletId : null,
    cents_per_btc: centsPerBtc,
    address: via === 'onchain' ? paymentRequest : null,
  };
}

/** In the wallet's minor units, as a payment in flight would hold it. */
function mostOf({ amountMsat, feeLimitMsat, amountCents, ask }: BeginRequest, currency: Currency): { cost: bigint; fee: bigint } {
  if (currency === 'BTC' || !ask) return { cost: msatOfSats(satsCeil(amountMsat + feeLimitMsat)), fee: feeLimitMsat };
  const cents = centsCosting(amountMsat, ask);
  const fee = centsCosting(amountMsat + feeLimitMsat, ask) - cents;
  return { cost: (amountCents ?? cents) + fee, fee };
}
