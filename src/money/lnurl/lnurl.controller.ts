import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../edge/auth/index.js';
import { AnyOrigin, WaitsElsewhere } from '../../edge/http/index.js';
import { RateLimit, RateLimiter } from '../../edge/rate-limit/index.js';
import {
  MAX_COMMENT,
  MAX_MSAT,
  MIN_MSAT,
  PayOfferService,
  type OrderedInvoice,
  type PayOrder,
  type PayRequest,
} from './pay-offer.service.js';

type LnurlError = { readonly status: 'ERROR'; readonly reason: string };
const refuse = (reason: string): LnurlError => ({ status: 'ERROR', reason });

const UNKNOWN_USER = refuse('User not found');

/** An answer of the callback (LUD-06) with the address of LUD-21. */
interface Callback {
  readonly pr: string;
  readonly routes: [];
  readonly verify: string;
}

interface Verification {
  readonly status: 'OK';
  readonly settled: boolean;
  readonly preimage: string | null;
  readonly pr: string;
}

const FAULTS: Readonly<Record<Exclude<OrderedInvoice['kind'], 'created' | 'vetoed'>, LnurlError>> = {
  invalid_amount: refuse(`amount must be a whole number of satoshis in millisatoshis, from ${MIN_MSAT} to ${MAX_MSAT}`),
  invalid_comment: refuse(`comment must have at most ${MAX_COMMENT} characters`),
  invalid_payer_data: refuse('payerdata must be a JSON object with texts of at most 100 characters: name, identifier, email'),
  unavailable: refuse('Invoices are temporarily unavailable. Please try again.'),
};

/** Lightning addresses (LUD-16) by LNURL-pay (LUD-06, 12, 18, 21): any wallet can pay `alice@host`. Errors are 200 (LUD-01). */
@Controller('.well-known/lnurlp/:username')
export class LnurlController {
  constructor(
    private readonly offers: PayOfferService,
    private readonly limiter: RateLimiter,
  ) {}

  @Get()
  @Public()
  @AnyOrigin()
  async payRequest(@Param('username') username: string): Promise<PayRequest | LnurlError> {
    const recipient = await this.offers.find(username);
    return recipient ? this.offers.offer(recipient) : UNKNOWN_USER;
  }

  @Get('callback')
  @WaitsElsewhere()
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll')
  @AnyOrigin()
  async invoice(
    @Param('username') username: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<Callback | LnurlError> {
    const recipient = await this.offers.find(username);
    if (!recipient) return UNKNOWN_USER;
    const order = orderOf(query);
    if (typeof order === 'string') return FAULTS[order];
    const fault = this.offers.faultOf(order);
    if (fault) return FAULTS[fault];
    if (await this.isTooMuch(request, recipient.walletId)) return refuse('Too many requests, please wait for a while and try again');
    const made = await this.offers.order(recipient, order);
    if (made.kind === 'vetoed') return refuse(made.message);
    if (made.kind !== 'created') return FAULTS[made.kind];
    return { pr: made.invoice.paymentRequest, routes: [], verify: this.offers.verifyUrlOf(recipient, made.invoice) };
  }

  @Get('verify/:hash')
  @Public()
  @AnyOrigin()
  async verify(@Param('username') username: string, @Param('hash') hash: string): Promise<Verification | LnurlError> {
    const recipient = await this.offers.find(username);
    const invoice = recipient && (await this.offers.findInvoice(recipient, hash));
    if (!invoice) return refuse('Not found');
    const settled = invoice.status === 'PAID';
    return { status: 'OK', settled, preimage: settled ? invoice.preimage : null, pr: invoice.paymentRequest };
  }

  /** This endpoint reads no credential: every caller counts as anonymous. */
  private async isTooMuch(request: FastifyRequest, wallet: string): Promise<boolean> {
    return this.limiter.resultFor(request, await this.limiter.consume('invoiceRecipient', wallet)).isBlocked;
  }
}

/** A parameter that occurs twice is an array. */
function orderOf(query: Record<string, unknown>): PayOrder | 'invalid_amount' | 'invalid_comment' | 'invalid_payer_data' {
  const { amount, comment, payerdata } = query;
  if (typeof amount !== 'string' || !/^\d{1,18}$/.test(amount)) return 'invalid_amount';
  if (comment !== undefined && typeof comment !== 'string') return 'invalid_comment';
  if (payerdata !== undefined && typeof payerdata !== 'string') return 'invalid_payer_data';
  return { amountMsat: BigInt(amount), comment, payerData: payerdata };
}
