import { createHash } from 'node:crypto';
import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { Config } from '../config/index.js';
import { AnyOrigin } from '../http/index.js';
import { InvoiceService } from '../invoice/index.js';
import { inAnyCase, USERNAME } from '../kernel/form.js';
import { MSAT_PER_SAT, msatOfSats, satsOfMsat } from '../kernel/money.js';
import { RateLimit, RateLimiter } from '../rate-limit/index.js';
import { AccountService } from '../wallet/index.js';

const ANY_USERNAME = inAnyCase(USERNAME);

const MIN_MSAT = msatOfSats(1);
const MAX_MSAT = msatOfSats(100_000_000);
/** LUD-12: characters of a comment. Four bytes each at most, so they always fit a memo (`MEMO_BYTES`). */
const MAX_COMMENT = 159;

interface PayRequest {
  readonly tag: 'payRequest';
  readonly callback: string;
  readonly minSendable: number;
  readonly maxSendable: number;
  readonly metadata: string;
  readonly commentAllowed: number;
}

type LnurlError = { readonly status: 'ERROR'; readonly reason: string };
const refuse = (reason: string): LnurlError => ({ status: 'ERROR', reason });

/** Lightning addresses (LUD-16) by LNURL-pay (LUD-06, comments by LUD-12): any wallet can pay `alice@host`. Errors are 200 (LUD-01). */
@Controller('.well-known/lnurlp/:username')
export class LnurlController {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly limiter: RateLimiter,
  ) {}

  @Get()
  @Public()
  @AnyOrigin()
  async payRequest(@Param('username') username: string): Promise<PayRequest | LnurlError> {
    const wallet = await this.walletOf(username);
    if (wallet === undefined) return refuse('User not found');
    return {
      tag: 'payRequest',
      callback: `${this.config.publicUrl}/.well-known/lnurlp/${encodeURIComponent(username.toLowerCase())}/callback`,
      minSendable: Number(MIN_MSAT),
      maxSendable: Number(MAX_MSAT),
      metadata: this.metadataOf(username),
      commentAllowed: MAX_COMMENT,
    };
  }

  /** The invoice commits to the metadata by its hash (LUD-06 step 7); the comment is for the recipient alone. */
  @Get('callback')
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll')
  @AnyOrigin()
  async invoice(
    @Param('username') username: string,
    @Query() { amount, comment }: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<{ pr: string; routes: [] } | LnurlError> {
    const wallet = await this.walletOf(username);
    if (wallet === undefined) return refuse('User not found');
    const msat = typeof amount === 'string' && /^\d{1,18}$/.test(amount) ? BigInt(amount) : -1n;
    if (msat < MIN_MSAT || msat > MAX_MSAT || msat % MSAT_PER_SAT !== 0n)
      return refuse(`amount must be a whole number of satoshis in millisatoshis, from ${MIN_MSAT} to ${MAX_MSAT}`);
    if (comment !== undefined && (typeof comment !== 'string' || [...comment].length > MAX_COMMENT || comment.includes('\0')))
      return refuse(`comment must have at most ${MAX_COMMENT} characters`);
    if (await this.isTooMuch(request, wallet)) return refuse('Too many requests, please wait for a while and try again');
    const descriptionHash = createHash('sha256').update(this.metadataOf(username), 'utf8').digest('hex');
    const made = await this.invoices.create({ walletId: wallet, amountSats: satsOfMsat(msat), descriptionHash, memo: comment });
    return made.kind === 'created'
      ? { pr: made.invoice.paymentRequest, routes: [] }
      : refuse('Invoices are temporarily unavailable. Please try again.');
  }

  /** This endpoint reads no credential: every caller counts as anonymous. */
  private async isTooMuch(request: FastifyRequest, wallet: string): Promise<boolean> {
    return this.limiter.resultFor(request, await this.limiter.consume('invoiceRecipient', wallet)).isBlocked;
  }

  private metadataOf(username: string): string {
    const address = `${username.toLowerCase()}@${new URL(this.config.publicUrl).host}`;
    return JSON.stringify([
      ['text/plain', `Payment to ${address}`],
      ['text/identifier', address],
    ]);
  }

  /** Undefined also for text that could not be a username, so that it never reaches the database. */
  private async walletOf(username: string): Promise<string | undefined> {
    if (!ANY_USERNAME.test(username)) return undefined;
    return (await this.accounts.findDefaultWallet(username, 'BTC'))?.id;
  }
}
