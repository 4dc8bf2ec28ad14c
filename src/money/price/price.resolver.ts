import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Min } from 'class-validator';
import { Public } from '../../edge/auth/index.js';
import { InvalidInput, type Complete, type Implements, type Problem, type Result } from '../../edge/graphql/index.js';
import type {
  PriceInput,
  QueryBtcPriceListArgs,
  QueryCurrencyConversionEstimationArgs,
  QueryRealtimePriceArgs,
  RealtimePriceInput,
} from '../../generated/graphql.js';
import { mapped, only, type Stream } from '../../platform/events/index.js';
import { PriceHistoryService, type PricePointRow } from './price-history.service.js';
import { followPrice } from './price-feed.js';
import { PriceService } from './price.service.js';
import { priceOfSats } from './quote.js';
import {
  currenciesOf,
  estimationOf,
  realtimePriceIn,
  realtimePriceKey,
  UNAVAILABLE,
  type EstimationRow,
  type RealtimePriceRow,
} from './realtime-price.js';

class CurrencyConversionArgs implements Complete<QueryCurrencyConversionEstimationArgs> {
  @Min(0, { message: 'A valid amount is required' }) amount!: number;
  currency!: string;
}

@Resolver()
export class PriceResolver implements Implements<
  'Query',
  'btcPriceList' | 'currencyConversionEstimation' | 'currencyList' | 'realtimePrice'
> {
  constructor(
    private readonly prices: PriceService,
    private readonly history: PriceHistoryService,
  ) {}

  @Query()
  @Public()
  btcPriceList(@Args() { range }: QueryBtcPriceListArgs): Promise<readonly PricePointRow[]> {
    return this.history.list(range);
  }

  @Query()
  @Public()
  currencyConversionEstimation(@Args() { amount, currency }: CurrencyConversionArgs): EstimationRow {
    return estimationOf(amount, currency, this.prices);
  }

  @Query()
  @Public()
  currencyList(): Result<'Query', 'currencyList'> {
    return currenciesOf(this.prices);
  }

  @Query()
  @Public()
  realtimePrice(@Args() { currency }: QueryRealtimePriceArgs): RealtimePriceRow {
    return realtimePriceIn(currency ?? 'USD', this.prices);
  }
}

type PricePayload = Result<'Subscription', 'price'>;
interface RealtimePricePayload {
  readonly errors: readonly Problem[];
  readonly realtimePrice: RealtimePriceRow | null;
}

/** The reference service takes as much: a price of more has less decimal places than one of a satoshi. */
const MAX_AMOUNT_SATS = 1_000_000;

/** Live prices: each first event is the price now. */
@Resolver()
export class PriceSubscriptionResolver implements Implements<'Subscription', 'price' | 'realtimePrice'> {
  constructor(private readonly prices: PriceService) {}

  @Subscription()
  @Public()
  price(@Args('input') input: PriceInput): AsyncIterable<{ price: PricePayload }> {
    return mapped(this.pricesOf(input), (price) => ({ price }));
  }

  @Subscription()
  @Public()
  realtimePrice(@Args('input') input: RealtimePriceInput): AsyncIterable<{ realtimePrice: RealtimePricePayload }> {
    return mapped(this.realtimePricesIn(input.currency ?? 'USD'), (realtimePrice) => ({ realtimePrice }));
  }

  private pricesOf(input: PriceInput): Stream<PricePayload> {
    const problem = problemOf(input);
    if (problem) return only({ errors: [problem], price: null });
    return followPrice<PricePayload>(
      this.prices,
      (quote) => (quote ? { errors: [], price: priceOfSats(input.amount, quote.centsPerBtc) } : { errors: [UNAVAILABLE], price: null }),
      ({ price }) => String(price?.formattedAmount),
    );
  }

  private realtimePricesIn(currency: string): Stream<RealtimePricePayload> {
    const payload = (): RealtimePricePayload => payloadIn(currency, this.prices);
    const first = payload();
    // A currency that has no price now is most likely a mistake; without any price, there may be one soon.
    if (first.errors.some(({ code }) => code === 'INVALID_INPUT')) return only(first);
    return followPrice(this.prices, payload, ({ realtimePrice: row, errors }) => (row ? realtimePriceKey(row) : String(errors[0]?.code)));
  }
}

function payloadIn(currency: string, prices: PriceService): RealtimePricePayload {
  try {
    return { errors: [], realtimePrice: realtimePriceIn(currency, prices) };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const errors = error.problems.map((problem) => (problem.path ? { ...problem, path: ['input', ...problem.path] } : problem));
    return { errors, realtimePrice: null };
  }
}

function problemOf({ amount, amountCurrencyUnit, priceCurrencyUnit }: PriceInput): Problem | undefined {
  const invalid = (message: string, field: string): Problem => ({ message, code: 'INVALID_INPUT', path: ['input', field] });
  if (amountCurrencyUnit !== 'BTCSAT') return invalid('Prices are of satoshis only: use BTCSAT', 'amountCurrencyUnit');
  if (priceCurrencyUnit !== 'USDCENT') return invalid('Prices are in US cents only: use USDCENT', 'priceCurrencyUnit');
  if (amount === 0) return invalid('A valid satoshi amount is required', 'amount');
  return amount < MAX_AMOUNT_SATS ? undefined : invalid(`The amount must be below ${MAX_AMOUNT_SATS} satoshis`, 'amount');
}
