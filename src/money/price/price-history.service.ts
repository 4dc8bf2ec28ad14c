import { Injectable } from '@nestjs/common';
import type { QueryBtcPriceListArgs } from '../../generated/graphql.js';
import { columns, Database, fragment, sql } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { priceOfSats, type AmountPrice } from './quote.js';
import { PricePointEntity } from './price.entity.js';

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

@Injectable()
export class PriceHistoryService {
  private readonly cache = new Map<PriceRange, { readonly untilMs: number; readonly points: Promise<readonly PricePointRow[]> }>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Lists the worth of one satoshi in US cents, oldest first; at most a minute old, and empty where no price was stored. */
  list(range: PriceRange): Promise<readonly PricePointRow[]> {
    const nowMs = this.clock.now();
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
}
