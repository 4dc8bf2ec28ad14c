import { Injectable } from '@nestjs/common';
import type { QueryBtcPriceListArgs } from '../../generated/graphql.js';
import { columns, Database, fragment, sql } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import { listRates } from './display-price.js';
import { PricePointEntity } from './price.entity.js';
import type { PriceQuote } from './price-source.js';
import { PriceService } from './price.service.js';
import { priceOfSats, type AmountPrice } from './quote.js';

export type PriceRange = QueryBtcPriceListArgs['range'];

export interface PricePointRow {
  readonly timestamp: Date;
  readonly price: AmountPrice;
}

/** These are intervals of PostgreSQL. A list has at most 367 points, and no step is smaller than what `price_record` keeps of that age. */
const SPANS: Readonly<Record<PriceRange, { readonly range: string; readonly step: string }>> = {
  ONE_DAY: { range: '1 day', step: '10 minutes' },
  ONE_WEEK: { range: '7 days', step: '1 hour' },
  ONE_MONTH: { range: '31 days', step: '4 hours' },
  ONE_YEAR: { range: '366 days', step: '1 day' },
  FIVE_YEARS: { range: '1826 days', step: '7 days' },
};
/** Anyone may ask, and a price is stored each ten minutes. */
const CACHE_MS = 60_000;

const STEP = fragment`date_bin($2::interval, at, 'epoch'::timestamptz)`;
const LIST = sql`SELECT DISTINCT ON (${STEP}) ${columns(PricePointEntity).of('p')} FROM price_point p
          WHERE at >= now() - $1::interval ORDER BY ${STEP}, at`;

/** The steps of the stored prices: `price_record` stores one price for each. */
const STEP_MS = 600_000;
const PAUSE_MS = 60_000;
const LIMIT_MS = 10_000;
/** A rate is stored for this long at most: the source is asked more often, and a rate that it withdraws must not stay. */
const MAX_RATE_AGE_MS = 3_600_000;
const RECORD = sql`SELECT price_record($1, $2, $3, $4)`;

/** Stores prices: those of the past for `btcPriceList`, and the rates of the currencies now, which the history freezes with each row. */
@Injectable()
export class PriceHistoryService {
  private readonly log = new Log(PriceHistoryService.name);
  private recorded: { readonly quote: PriceQuote; readonly step: number } | undefined;
  private readonly cache = new Map<PriceRange, { readonly untilMs: number; readonly points: Promise<readonly PricePointRow[]> }>();

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

  /** Lists the worth of one satoshi in US cents, oldest first; at most a minute old, and empty where no price was stored. */
  list(range: PriceRange): Promise<readonly PricePointRow[]> {
    const nowMs = this.clock.elapsed();
    const known = this.cache.get(range);
    if (known && nowMs < known.untilMs) return known.points;
    const points = this.read(range);
    const cached = { untilMs: nowMs + CACHE_MS, points };
    this.cache.set(range, cached);
    points.catch(() => this.cache.get(range) === cached && this.cache.delete(range));
    return points;
  }

  private async read(name: PriceRange): Promise<readonly PricePointRow[]> {
    const { range, step } = SPANS[name];
    const rows = await this.database.query<PricePointEntity>(LIST, [range, step]);
    return rows.map(({ at, centsPerBtc }) => ({ timestamp: at, price: priceOfSats(1, centsPerBtc) }));
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
