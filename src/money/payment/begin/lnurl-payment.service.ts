import { Injectable } from '@nestjs/common';
import { isAmount } from '../../../platform/kernel/money.js';
import { LnurlInvoiceService, payeeOf, urlOfAddress, urlOfLnurl } from '../../lnurl/index.js';
import { DealerService } from '../../price/index.js';
import { AccountService } from '../../wallet/index.js';
import { refused, type PaymentOutcome, type PaymentStart } from '../payment.outcome.js';
import { PaymentService, type Payer } from './payment.service.js';

export type LnurlPayee = { readonly lnAddress: string } | { readonly lnurl: string };

const REFUSAL_OF = { out_of_bounds: 'out_of_bounds', busy: 'not_begun', unavailable: 'not_begun', failed: 'no_lnurl_invoice' } as const;

@Injectable()
export class LnurlPaymentService {
  constructor(
    private readonly payments: PaymentService,
    private readonly invoices: LnurlInvoiceService,
    private readonly accounts: AccountService,
    private readonly dealer: DealerService,
  ) {}

  /**
   * A repeat of an attempt that has begun to pay must not get a second invoice: its payment is looked up before anything is requested.
   * Until it has begun, nothing is held or moved, so a repeat requests an invoice again; two calls of one attempt at the same time cannot
   * both pay, because the payment's id is made of the attempt. Nothing is held while the request runs.
   */
  async pay(payer: Payer, to: LnurlPayee, amountSats: number): Promise<PaymentStart> {
    const earlier = await this.payments.findEarlier(payer);
    if (earlier) return earlier;
    const url = 'lnurl' in to ? urlOfLnurl(to.lnurl) : urlOfAddress(to.lnAddress);
    if (!url) return refused('lnurl' in to ? 'invalid_lnurl' : 'invalid_ln_address');
    if (!isAmount(amountSats)) return refused('invalid_amount');
    const wallet = await this.accounts.findWallet(payer.walletId);
    if (wallet?.userId !== payer.userId) return refused('unknown_wallet');
    // The recipient gets satoshis from either wallet. Without a price no invoice is requested, as none could be paid.
    if (wallet.currency === 'USD' && this.dealer.rate.ask === null) return refused('no_price');
    const requested = await this.invoices.request(url, amountSats, payer);
    if (requested.kind !== 'invoice') return refused(REFUSAL_OF[requested.kind]);
    const start = await this.payments.begin(payer, { paymentRequest: requested.paymentRequest, payee: payeeOf(url) });
    // Another call of this attempt may have begun meanwhile, with the invoice that it got.
    const overtaken = async (outcome: PaymentOutcome): Promise<PaymentOutcome> => {
      const isOvertaken = outcome.kind === 'refused' && outcome.reason === 'attempt_reused';
      return (isOvertaken ? await this.payments.findEarlier(payer) : undefined) ?? outcome;
    };
    return start.kind === 'begun' ? { ...start, end: start.end.then(overtaken) } : overtaken(start);
  }
}
