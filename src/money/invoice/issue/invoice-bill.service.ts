import { Injectable } from '@nestjs/common';
import { MAX_CENTS, MAX_SATS, msatOfSats, type Msat } from '../../../platform/kernel/money.js';
import { LedgerService } from '../../ledger/index.js';
import { centsWorth, DealerService, msatOfBill, PriceService, DealerSettings } from '../../price/index.js';
import type { Currency, WalletRef } from '../../wallet/index.js';

/** The payer pays the satoshis; a wallet in dollars gets the cents; without either the payer chooses the amount. */
export interface InvoiceAmount {
  readonly amountSats: number | null;
  readonly amountCents?: number | undefined;
  /** The currency of the wallet that an invoice with an amount is for. By default bitcoin. */
  readonly currency?: Currency | undefined;
}

/** Its prices do not change while the invoice can be paid. */
export interface InvoiceBill {
  readonly kind: 'bill';
  readonly amountMsat: Msat | null;
  readonly amountCents: bigint | null;
  readonly dealerCentsPerBtc: bigint | null;
  readonly centsPerBtc: bigint | null;
}

export interface BillRefusal {
  readonly kind: 'wrong_currency' | 'no_price' | 'amount_too_small' | 'invalid_cents' | 'dealer_limit';
}

@Injectable()
export class InvoiceBills {
  constructor(
    private readonly prices: PriceService,
    private readonly dealer: DealerService,
    private readonly ledger: LedgerService,
    private readonly settings: DealerSettings,
  ) {}

  /** One statement for a wallet in dollars: what its customers have may not exceed the dealer's limit. */
  async bill(amount: InvoiceAmount, wallet: WalletRef): Promise<InvoiceBill | BillRefusal> {
    const { amountSats, amountCents, currency = 'BTC' } = amount;
    const hasAmount = amountSats !== null || amountCents !== undefined;
    if (hasAmount && wallet.currency !== currency) return { kind: 'wrong_currency' };
    const bill = { kind: 'bill', centsPerBtc: this.prices.centsPerBtc } as const;
    const amountMsat = amountSats === null ? null : msatOfSats(amountSats);
    if (wallet.currency === 'BTC') return { ...bill, amountMsat, amountCents: null, dealerCentsPerBtc: null };
    const { bid } = this.dealer.rate;
    if (bid === null) return { kind: 'no_price' };
    const asked = amountCents === undefined ? undefined : BigInt(amountCents);
    const cents = asked ?? (amountMsat === null ? null : centsWorth(amountMsat, bid));
    if (cents === 0n) return { kind: 'amount_too_small' };
    const soldMsat = asked === undefined ? amountMsat : msatOfBill(asked, bid);
    if ((cents ?? 0n) > BigInt(MAX_CENTS) || (soldMsat ?? 0n) > msatOfSats(MAX_SATS)) return { kind: 'invalid_cents' };
    const { usdCents } = await this.ledger.dealerPosition();
    if ((cents ?? 0n) - usdCents > BigInt(this.settings.DEALER_LIMIT_CENTS)) return { kind: 'dealer_limit' };
    return { ...bill, amountMsat: soldMsat, amountCents: cents, dealerCentsPerBtc: bid };
  }
}
