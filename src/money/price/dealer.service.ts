import { Injectable } from '@nestjs/common';
import { MSAT_PER_BTC, MSAT_PER_SAT, type Msat } from '../../platform/kernel/money.js';
import { DealerSettings } from './dealer.settings.js';
import type { PriceQuote } from './price-source.js';
import { PriceService } from './price.service.js';

const PPM = 1_000_000n;

/** US cents for one bitcoin: customers sell it for `bid` and buy it for `ask`. Both are null while there is no price to be trusted. */
export interface DealerRate {
  readonly bid: bigint | null;
  readonly ask: bigint | null;
}

export const NO_RATE: DealerRate = { bid: null, ask: null };

/** Rounded in the dealer's favour. @param spreadPpm beside the spread of the quote */
export function dealerRateOf(quote: PriceQuote | undefined, spreadPpm: number): DealerRate {
  if (!quote) return NO_RATE;
  const spread = BigInt(quote.spreadPpm + spreadPpm);
  const bid = (quote.centsPerBtc * (PPM - spread)) / PPM;
  const ask = (quote.centsPerBtc * (PPM + spread) + PPM - 1n) / PPM;
  return bid > 0n ? { bid, ask } : NO_RATE;
}

/** Whole satoshis, in msat, that customers get for `cents`. */
export const wholeMsatOf = (cents: bigint, ask: bigint): Msat => ((cents * MSAT_PER_BTC) / ask / MSAT_PER_SAT) * MSAT_PER_SAT;

/** Whole satoshis, in msat, that customers have to sell for `cents`. */
export function msatOfBill(cents: bigint, bid: bigint): Msat {
  const perSat = bid * MSAT_PER_SAT;
  return ((cents * MSAT_PER_BTC + perSat - 1n) / perSat) * MSAT_PER_SAT;
}

/** An invoice into a wallet in dollars: what it states, and the price at which it was created. `amountCents` null: the payer chooses. */
export interface DollarBill {
  readonly amountMsat: Msat | null;
  readonly amountCents: bigint | null;
  readonly dealerCentsPerBtc: bigint;
}

/** What an invoice into a wallet in dollars costs now, and what of it decides that; see `msatOfBillNow`. */
export interface BillNow {
  readonly bill: DollarBill;
  readonly isOwn: boolean;
  readonly costMsat: Msat;
}

/**
 * What an invoice costs a wallet in bitcoin of this server now, as `dealer_bill_terms` in SQL: its amount, or, if its price is better for the
 * payer than the middle of the prices of now, its cents at the bid of now. An account that pays itself converts at the bid of now.
 * @param amountMsat chosen by the payer, if the invoice states none
 */
export function msatOfBillNow(
  bill: DollarBill,
  isOwn: boolean,
  { bid, ask }: DealerRate,
  amountMsat: Msat,
): Msat | 'no_price' | 'price_moved' {
  if (!bid || !ask) return 'no_price';
  const { amountMsat: stated, amountCents, dealerCentsPerBtc: price } = bill;
  if (stated === null || amountCents === null) return amountMsat;
  const isNow = isOwn || 2n * price > bid + ask;
  const msat = isNow && price !== bid ? msatOfBill(amountCents, bid) : stated;
  return msat > msatRoundedUp(stated + stated / MAX_RISE) ? 'price_moved' : msat;
}

/** A payer of this server pays at most 0.5 % more than an invoice states. */
const MAX_RISE = 200n;
const msatRoundedUp = (msat: Msat): Msat => ((msat + MSAT_PER_SAT - 1n) / MSAT_PER_SAT) * MSAT_PER_SAT;

/** Whole cents that customers get for `msat`, as `dealer_cents_down` in SQL. */
export const centsWorth = (msat: Msat, bid: bigint): bigint => (msat * bid) / MSAT_PER_BTC;

/** Whole cents that `msat` cost customers, as `dealer_cents_up` in SQL. */
export const centsCosting = (msat: Msat, ask: bigint): bigint => (msat * ask + MSAT_PER_BTC - 1n) / MSAT_PER_BTC;

/** The prices at which customers exchange bitcoin and dollars now. SQL functions exchange: `migrations/functions/dealer.sql`. */
@Injectable()
export class DealerService {
  constructor(
    private readonly prices: PriceService,
    private readonly settings: DealerSettings,
  ) {}

  /** US cents for one bitcoin, without a spread, to be stored with a payment or an invoice; null without a price to be trusted. */
  get centsPerBtc(): bigint | null {
    return this.prices.centsPerBtc;
  }

  /** The most US cents that all customers together may have. */
  get limitCents(): bigint {
    return BigInt(this.settings.DEALER_LIMIT_CENTS);
  }

  /** The most US cents of invoices that are open for an account, by its own and as much again by others. */
  get openInvoiceCents(): bigint {
    return BigInt(this.settings.DEALER_INVOICE_OPEN_CENTS);
  }

  get rate(): DealerRate {
    return dealerRateOf(this.prices.exchangeQuote, this.settings.spreadPpm);
  }

  /** The price of an invoice that is created now. */
  get invoiceBid(): bigint | null {
    return dealerRateOf(this.prices.exchangeQuote, this.settings.invoiceSpreadPpm).bid;
  }
}
