import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../auth/index.js';
import type { Implements } from '../graphql/index.js';
import { RealtimePriceArgs } from './price.input.js';
import { PriceService } from './price.service.js';
import { realtimePriceIn, type RealtimePriceRow } from './realtime-price.js';

@Resolver()
export class PriceResolver implements Implements<'Query', 'realtimePrice'> {
  constructor(private readonly prices: PriceService) {}

  @Query()
  @Public()
  realtimePrice(@Args() { currency }: RealtimePriceArgs): RealtimePriceRow {
    return realtimePriceIn(currency ?? 'USD', this.prices);
  }
}
