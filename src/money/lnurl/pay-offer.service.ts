import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { InvoiceService, type InvoiceCreation, type InvoiceRow } from '../invoice/index.js';
import { HEX_32, inAnyCase, USERNAME } from '../../platform/kernel/form.js';
import { MSAT_PER_SAT, msatOfSats, satsOfMsat, type Msat } from '../../platform/kernel/money.js';
import { AccountService } from '../wallet/index.js';
import { lnurlOf, isJsonObject, parsedJson } from './lnurl-text.js';
import { isStorable, MEMO_BYTES } from '../../platform/kernel/text.js';

/** LUD-18: what a payer may state about themselves. Sluice requires nothing, and verifies nothing of it. */
const PAYER_DATA = { name: { mandatory: false }, identifier: { mandatory: false }, email: { mandatory: false } } as const;

type PayerData = Readonly<Partial<Record<keyof typeof PAYER_DATA, string>>>;

const MAX_TEXT = 1_000;
const MAX_VALUE = 100;

/** Undefined for text that is no object of the fields that {@link PAYER_DATA} offers. */
function payerDataOf(text: string): PayerData | undefined {
  if (text.length > MAX_TEXT || !isStorable(text)) return undefined;
  const parsed = parsedJson(text);
  if (!isJsonObject(parsed)) return undefined;
  const isValid = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(PAYER_DATA, name) && typeof value === 'string' && value.length <= MAX_VALUE && isStorable(value);
  return Object.entries(parsed).every(isValid) ? parsed : undefined;
}

/** The memo of the recipient: the comment, and who the payer says they are as far as the memo has room for it. */
function memoOf(comment: string | undefined, payer: PayerData): string | undefined {
  const who = payer.identifier || payer.name || payer.email;
  if (!who) return comment;
  const memo = comment ? `${comment} (from ${who})` : `From ${who}`;
  return Buffer.byteLength(memo) <= MEMO_BYTES ? memo : comment;
}

const ANY_USERNAME = inAnyCase(USERNAME);
const ANY_HASH = inAnyCase(HEX_32);

export const MIN_MSAT = msatOfSats(1);
export const MAX_MSAT = msatOfSats(100_000_000);
/** LUD-12: characters of a comment. Four bytes each at most, so they always fit a memo (`MEMO_BYTES`). */
export const MAX_COMMENT = 159;

export interface Recipient {
  readonly username: string;
  readonly walletId: string;
}

/** LUD-06, with comments (LUD-12) and payer data (LUD-18). */
export interface PayRequest {
  readonly tag: 'payRequest';
  readonly callback: string;
  readonly minSendable: number;
  readonly maxSendable: number;
  readonly metadata: string;
  readonly commentAllowed: number;
  readonly payerData: typeof PAYER_DATA;
}

export interface PayOrder {
  readonly amountMsat: Msat;
  readonly comment?: string | undefined;
  /** The JSON text as the payer sent it: the invoice commits to it (LUD-18). */
  readonly payerData?: string | undefined;
  readonly expiresInMinutes?: number | undefined;
  /** Names the attempt: a retry with the same name gets the same invoice. */
  readonly attempt?: string | undefined;
}

export type OrderedInvoice =
  | { readonly kind: 'created'; readonly invoice: InvoiceRow }
  | { readonly kind: 'invalid_amount' | 'invalid_comment' | 'invalid_payer_data' | 'unavailable' }
  | Extract<InvoiceCreation, { kind: 'vetoed' }>;

@Injectable()
export class PayOfferService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
  ) {}

  /**
   * Undefined also for text that could not be a username, so that it never reaches the database.
   * @param local the part before the `@`: a username, which a tag may follow (LUD-16)
   */
  async find(local: string): Promise<Recipient | undefined> {
    const username = local.replace(/\+.*/, '');
    if (!ANY_USERNAME.test(username)) return undefined;
    const wallet = await this.accounts.findDefaultWallet(username, 'BTC');
    return wallet ? { username: username.toLowerCase(), walletId: wallet.id } : undefined;
  }

  offer({ username }: Recipient): PayRequest {
    return {
      tag: 'payRequest',
      callback: `${this.urlOf(username)}/callback`,
      minSendable: Number(MIN_MSAT),
      maxSendable: Number(MAX_MSAT),
      metadata: this.metadataOf(username),
      commentAllowed: MAX_COMMENT,
      payerData: PAYER_DATA,
    };
  }

  faultOf({ amountMsat, comment = '', payerData = '{}' }: PayOrder): Exclude<OrderedInvoice['kind'], 'created' | 'vetoed'> | undefined {
    if (amountMsat < MIN_MSAT || amountMsat > MAX_MSAT || amountMsat % MSAT_PER_SAT !== 0n) return 'invalid_amount';
    if ([...comment].length > MAX_COMMENT || comment.includes('\0')) return 'invalid_comment';
    return payerDataOf(payerData) === undefined ? 'invalid_payer_data' : undefined;
  }

  /** The invoice commits to the metadata by its hash (LUD-06 step 7), followed by the payer data (LUD-18). */
  async order({ username, walletId }: Recipient, order: PayOrder): Promise<OrderedInvoice> {
    const fault = this.faultOf(order);
    if (fault) return { kind: fault };
    const { amountMsat, comment, payerData = '', expiresInMinutes, attempt } = order;
    const descriptionHash = createHash('sha256')
      .update(this.metadataOf(username) + payerData, 'utf8')
      .digest('hex');
    const memo = memoOf(comment, payerDataOf(payerData) ?? {});
    const amountSats = satsOfMsat(amountMsat);
    const made = await this.invoices.create({ walletId, amountSats, descriptionHash, memo, expiresInMinutes, attempt, byLnurl: true });
    return made.kind === 'created' || made.kind === 'vetoed' ? made : { kind: 'unavailable' };
  }

  /** LUD-21. Undefined if this recipient has no such invoice, or a callback did not create it: the preimage of others is their payer's. */
  async findInvoice({ walletId }: Recipient, paymentHash: string): Promise<InvoiceRow | undefined> {
    const invoice = ANY_HASH.test(paymentHash) ? await this.invoices.findByHash(paymentHash) : null;
    return invoice?.walletId === walletId && invoice.isOfLnurl ? invoice : undefined;
  }

  /** A payer asks there for the state of an invoice (LUD-21). */
  verifyUrlOf({ username }: Recipient, { paymentHash }: InvoiceRow): string {
    return `${this.urlOf(username)}/verify/${paymentHash}`;
  }

  lnurlOf(username: string): string {
    return lnurlOf(this.urlOf(username)).toUpperCase();
  }

  private urlOf(username: string): string {
    return `${this.config.publicUrl}/.well-known/lnurlp/${username}`;
  }

  private metadataOf(username: string): string {
    const address = `${username}@${new URL(this.config.publicUrl).host}`;
    return JSON.stringify([
      ['text/plain', `Payment to ${address}`],
      ['text/identifier', address],
    ]);
  }
}
