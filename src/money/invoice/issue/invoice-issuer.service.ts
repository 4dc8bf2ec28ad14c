import { Injectable } from '@nestjs/common';
import { PolicyCheck, type PaymentVeto, type Principal } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { Mac } from '../../../platform/kernel/mac.js';
import { MAX_CENTS, MAX_SATS, msatOfSats, type Msat } from '../../../platform/kernel/money.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { randomBytes } from '../../../platform/kernel/random.js';
import { LightningNode, cachePubkey, decodeInvoice } from '../../lightning/index.js';
import type { WalletRef, Currency } from '../../wallet/index.js';
import type { WebhookOwner } from '../../webhook/index.js';
import type { InvoiceRow } from '../invoice.row.js';
import { InvoiceStore, type NewInvoice } from '../invoice.store.js';
import { LedgerService } from '../../ledger/index.js';
import { centsWorth, DealerService, msatOfBill } from '../../price/index.js';

/** The payer pays the satoshis; a wallet in dollars gets the cents; without either the payer chooses the amount. */
export interface InvoiceAmount {
  readonly amountSats: number | null;
  readonly amountCents?: number | undefined;
  /** The currency of the wallet that an invoice with an amount is for. By default bitcoin. */
  readonly currency?: Currency | undefined;
}

/** Its prices do not change while the invoice can be paid. */
interface InvoiceBill extends Pick<NewInvoice, 'amountMsat' | 'amountCents' | 'dealerCentsPerBtc' | 'centsPerBtc'> {
  readonly kind: 'bill';
}

export type BillRefusal =
  | { readonly kind: 'wrong_currency' | 'no_price' | 'amount_too_small' | 'invalid_cents' | 'dealer_limit' }
  /** Refused by the organisation's `PaymentPolicy`, in its words. */
  | ({ readonly kind: 'vetoed' } & PaymentVeto);

/** An invoice that Sluice is to make; nothing exists yet. */
export interface InvoiceIntent {
  /** Who asks for it. Null: a caller of an LNURL callback, who shows no credential, or code that names no principal. */
  readonly principal: Principal | null;
  /** Of the recipient. */
  readonly walletId: string;
  readonly userId: string;
  /** What the payer pays; null: the payer chooses. */
  readonly amountMsat: Msat | null;
  /** What a wallet in dollars gets of it; null in bitcoin. */
  readonly amountCents: bigint | null;
  readonly memo: string | null;
  /** By a payment to the Lightning address of the recipient. */
  readonly byLnurl: boolean;
}

@Injectable()
export class InvoiceBills {
  constructor(
    private readonly dealer: DealerService,
    private readonly ledger: LedgerService,
    private readonly policy: PolicyCheck,
  ) {}

  /** Asks the policy last, about an invoice that could be made. */
  async judge(params: CreateInvoiceParams, wallet: WalletRef): Promise<InvoiceBill | BillRefusal> {
    const bill = await this.bill(params, wallet);
    if (bill.kind !== 'bill') return bill;
    const { amountMsat, amountCents } = bill;
    const { principal = null, memo, byLnurl = false } = params;
    const { id: walletId, userId } = wallet;
    const intent: InvoiceIntent = { principal, walletId, userId, amountMsat, amountCents, memo: memo || null, byLnurl };
    const veto = await this.policy.findVeto('findInvoiceVeto', intent, walletId);
    return veto ? { kind: 'vetoed', ...veto } : bill;
  }

  /** One statement for a wallet in dollars: what its customers have may not exceed the dealer's limit. */
  private async bill(amount: InvoiceAmount, wallet: WalletRef): Promise<InvoiceBill | BillRefusal> {
    const { amountSats, amountCents, currency = 'BTC' } = amount;
    const hasAmount = amountSats !== null || amountCents !== undefined;
    if (hasAmount && wallet.currency !== currency) return { kind: 'wrong_currency' };
    const bill = { kind: 'bill', centsPerBtc: this.dealer.centsPerBtc } as const;
    const amountMsat = amountSats === null ? null : msatOfSats(amountSats);
    if (wallet.currency === 'BTC') return { ...bill, amountMsat, amountCents: null, dealerCentsPerBtc: null };
    const bid = this.dealer.invoiceBid;
    if (bid === null) return { kind: 'no_price' };
    const asked = amountCents === undefined ? undefined : BigInt(amountCents);
    const cents = asked ?? (amountMsat === null ? null : centsWorth(amountMsat, bid));
    if (cents === 0n) return { kind: 'amount_too_small' };
    const soldMsat = asked === undefined ? amountMsat : msatOfBill(asked, bid);
    if ((cents ?? 0n) > BigInt(MAX_CENTS) || (soldMsat ?? 0n) > msatOfSats(MAX_SATS)) return { kind: 'invalid_cents' };
    const { usdCents } = await this.ledger.dealerPosition();
    // What the payer chooses is a cent at least.
    if ((cents ?? 1n) - usdCents > this.dealer.limitCents) return { kind: 'dealer_limit' };
    return { ...bill, amountMsat: soldMsat, amountCents: cents, dealerCentsPerBtc: bid };
  }
}

export interface CreateInvoiceParams extends InvoiceAmount {
  readonly walletId: string;
  /** Who asks, for the policy of the organisation. */
  readonly principal?: Principal | undefined;
  /** The owner, if only the owner may ask; undefined for an invoice on behalf of a recipient. */
  readonly userId?: string;
  readonly memo?: string | null | undefined;
  /** Takes the memo's place in the invoice; hex. */
  readonly descriptionHash?: string | null | undefined;
  readonly expiresInMinutes?: number | null | undefined;
  readonly externalId?: string | null | undefined;
  /** The end of the invoice is posted there; `InvoicesForOthers` refuses a URL that gets no webhooks. */
  readonly webhookUrl?: string | null | undefined;
  /** The webhook takes this owner's share; absent: the recipient's. */
  readonly webhookOwner?: WebhookOwner | undefined;
  readonly byLnurl?: boolean | undefined;
  /** Names the attempt: a retry with the same name, and the same parameters, gets the same invoice. Without it every call is a new invoice. */
  readonly attempt?: string | undefined;
}

/** `stored`: an earlier call of this attempt has stored its invoice. */
type IssuedInvoice =
  | { readonly kind: 'issued'; readonly invoice: NewInvoice }
  | { readonly kind: 'stored'; readonly invoice: InvoiceRow }
  | { readonly kind: 'unavailable' }
  | BillRefusal;

type NodeInvoice = Pick<NewInvoice, 'nodeId' | 'paymentHash' | 'paymentRequest' | 'paymentSecret' | 'preimage' | 'expirySeconds'>;

type WebhookColumns = Pick<NewInvoice, 'webhookUrl' | 'webhookOwnerId' | 'webhookIsAnonymous'>;

const PURPOSE = 'sluice invoice preimage v1';
const UNAVAILABLE = { kind: 'unavailable' } as const;
const MINUTE = 60;
const MAX_MINUTES = 24 * 60;
const DEFAULT_MINUTES = 4 * 60;
/** Also the default. An invoice in dollars can be paid at its price for so long. */
const MAX_MINUTES_IN_DOLLARS = 2;
/** Clients written for this API expect it. */
const DEFAULT_MINUTES_WITHOUT_AMOUNT = 2 * 60;

/**
 * Lets the node make invoices. The preimage of an attempt that has a name is derived from that name and the server's secret: a retry gets
 * the payment hash of the first call, finds what that call left in the table or at the node, and makes no second invoice.
 */
@Injectable()
export class InvoiceIssuer {
  readonly #attempts: Mac;

  constructor(
    private readonly store: InvoiceStore,
    private readonly lightning: LightningNode,
    private readonly bills: InvoiceBills,
    private readonly clock: Clock,
    { secretKey }: Config,
  ) {
    this.#attempts = new Mac(PURPOSE, secretKey);
  }

  /**
   * Beside that of the bill, no statement for a first call; for a retry one, or, if its invoice is only at the node, one and a look-up.
   */
  async issue(params: CreateInvoiceParams, wallet: WalletRef): Promise<IssuedInvoice> {
    const { attempt } = params;
    const preimage = attempt === undefined ? newPreimage() : hexOf(this.#attempts.of(attempt));
    const bill = await this.bills.judge(params, wallet);
    if (bill.kind !== 'bill') {
      // What refuses a retry says nothing about the first call, which may have stored its invoice.
      const first = attempt === undefined ? null : await this.store.find(paymentHashOf(preimage));
      return first ? { kind: 'stored', invoice: first } : bill;
    }
    const made = await this.make(params, bill, preimage);
    if (made === 'unavailable') return UNAVAILABLE;
    if (made !== 'duplicate') return { kind: 'issued', invoice: this.rowOf(made, params, bill, wallet) };
    const stored = await this.store.find(paymentHashOf(preimage));
    if (stored) return { kind: 'stored', invoice: stored };
    const found = await this.findAtNode(preimage, bill);
    if (found === 'unavailable') return UNAVAILABLE;
    // No caller has got the first call's invoice, and no payer can pay it any more.
    const again = found ?? (await this.make(params, bill, newPreimage()));
    return typeof again === 'string' ? UNAVAILABLE : { kind: 'issued', invoice: this.rowOf(again, params, bill, wallet) };
  }

  private async make(params: CreateInvoiceParams, bill: InvoiceBill, preimage: string): Promise<NodeInvoice | 'duplicate' | 'unavailable'> {
    const expirySeconds = minutesOf(params, bill) * MINUTE;
    const descriptionHash = params.descriptionHash ?? undefined;
    const made = await this.lightning.createInvoice({
      amountMsat: bill.amountMsat,
      preimage,
      expirySeconds,
      ...(descriptionHash === undefined ? { description: params.memo ?? '' } : { descriptionHash }),
    });
    if (made.status === 'refused' && made.reason === 'duplicate') return 'duplicate';
    return made.status === 'created' ? { ...made, preimage, expirySeconds } : 'unavailable';
  }

  /** Undefined if no payer can pay it any more, or the price of dollars has changed since: no caller has got that invoice. */
  private async findAtNode(preimage: string, { amountMsat }: InvoiceBill): Promise<NodeInvoice | undefined | 'unavailable'> {
    const paymentHash = paymentHashOf(preimage);
    const state = await this.lightning.lookupInvoice(paymentHash);
    if (state.status === 'unknown') return 'unavailable';
    const decoded = state.status === 'open' ? decodeInvoice(state.paymentRequest) : undefined;
    if (!decoded?.ok) return undefined;
    const { paymentRequest, paymentSecret, expiresAt } = decoded.invoice;
    const isAtOtherPrice = decoded.invoice.amountMsat !== amountMsat;
    if (isAtOtherPrice) await this.lightning.cancelInvoice(paymentHash);
    const expirySeconds = Math.floor((expiresAt.getTime() - this.clock.now()) / 1000);
    if (isAtOtherPrice || expirySeconds <= 0) return undefined;
    return { nodeId: this.lightning.nodeId, paymentHash, paymentRequest, paymentSecret, preimage, expirySeconds };
  }

  private rowOf(made: NodeInvoice, params: CreateInvoiceParams, bill: InvoiceBill, wallet: WalletRef): NewInvoice {
    // An internal payment need not verify what our own node has signed.
    cachePubkey(made.paymentRequest, made.nodeId);
    return {
      ...made,
      ...bill,
      accountId: wallet.accountId,
      walletId: wallet.id,
      memo: params.memo || null,
      descriptionHash: params.descriptionHash ?? null,
      externalId: params.externalId ?? made.paymentHash,
      externalIdByOwner: params.userId !== undefined,
      byLnurl: params.byLnurl ?? false,
      ...webhookOf(params, wallet),
    };
  }
}

function webhookOf({ webhookUrl, webhookOwner }: CreateInvoiceParams, wallet: WalletRef): WebhookColumns {
  if (webhookUrl == null) return { webhookUrl: null, webhookOwnerId: null, webhookIsAnonymous: null };
  const { id, isAnonymous } = webhookOwner ?? { id: wallet.accountId, isAnonymous: false };
  return { webhookUrl, webhookOwnerId: id, webhookIsAnonymous: isAnonymous };
}

const hexOf = (bytes: Buffer): string => bytes.toString('hex');
const newPreimage = (): string => hexOf(randomBytes(32));

/** A value out of range silently becomes the default: clients written for this API send such values and rely on it. */
function minutesOf({ expiresInMinutes: asked }: CreateInvoiceParams, { amountMsat, dealerCentsPerBtc }: InvoiceBill): number {
  const isInDollars = dealerCentsPerBtc !== null;
  if (asked != null && asked >= 1 && asked <= (isInDollars ? MAX_MINUTES_IN_DOLLARS : MAX_MINUTES)) return asked;
  if (isInDollars) return MAX_MINUTES_IN_DOLLARS;
  return amountMsat === null ? DEFAULT_MINUTES_WITHOUT_AMOUNT : DEFAULT_MINUTES;
}
