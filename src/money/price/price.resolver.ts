import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../edge/auth/index.js';
import type { QueryBtcPriceListArgs, QueryRealtimePriceArgs } from '../../generated/graphql.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { PriceHistoryService, type PricePointRow } from './price-history.service.js';
import { CurrencyConversionArgs } from './price.input.js';
import { PriceService } from './price.service.js';
import { currenciesOf, estimationOf, realtimePriceIn, type EstimationRow, type RealtimePriceRow } from './realtime-price.js';

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
