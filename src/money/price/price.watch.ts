import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import { listRates } from './display-price.js';
import type { PriceQuote } from './price-source.js';
import { PriceService } from './price.service.js';

/** The steps of the stored prices: `price_record` stores one price for each. */
const STEP_MS = 600_000;
const PAUSE_MS = 60_000;
const LIMIT_MS = 10_000;
/** A rate is stored for this long at most: the source is asked more often, and a rate that it withdraws must not stay. */
const MAX_RATE_AGE_MS = 3_600_000;
const RECORD = sql`SELECT price_record($1, $2, $3, $4)`;

/** Stores prices: those of the past for `btcPriceList`, and the rates of the currencies now, which the history freezes with each row. */
@Injectable()
export class PriceWatch {
  private readonly log = new Log(PriceWatch.name);
  private recorded: { readonly quote: PriceQuote; readonly step: number } | undefined;

  constructor(
    private readonly database: Database,
    private readonly prices: PriceService,
    private readonly clock: Clock,
    loops: Loops,
  ) {
    const loop = loops.run({
      name: 'price_record',
      pauseMs: PAUSE_MS,
      limitMs: LIMIT_MS,
      round: () => this.record(),
      onFailure: ({ message }) =>
        this.log.warn(
          'price_record_failed',
          {},
          `Could not store the price: ${message}; new transactions are shown in US dollars when the stored rates have expired`,
        ),
    });
    prices.onChange(() => {
      if (this.isDue()) loop.wake();
    });
  }

  private get step(): number {
    return Math.floor(this.clock.now() / STEP_MS);
  }

  /** A source without rates has nothing new to store until the next step. */
  private isDue(): boolean {
    const { quote } = this.prices;
    return quote !== undefined && (this.step !== this.recorded?.step || (quote.rates !== undefined && quote !== this.recorded.quote));
  }

  private async record(): Promise<void> {
    const { quote } = this.prices;
    if (!quote || !this.isDue()) return;
    const { step } = this;
    const rates = listRates(quote).map(({ currency, billionthsPerDollar }) => [currency, String(billionthsPerDollar)] as const);
    const expiresAt = new Date(Math.min(quote.expiresAt.getTime(), this.clock.now() + MAX_RATE_AGE_MS));
    const stored = rates.length > 0 ? JSON.stringify(Object.fromEntries(rates)) : null;
    await this.database.query(RECORD, [quote.centsPerBtc, stored, quote.at, expiresAt]);
    this.recorded = { quote, step };
  }
}
