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

  get rate(): DealerRate {
    return dealerRateOf(this.prices.quote, this.settings.spreadPpm);
  }
}
