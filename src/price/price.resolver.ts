import { Args, Query, Resolver } from '@nestjs/graphql';
import { Public } from '../auth/index.js';
import { InvalidInput, type Implements, type Result } from '../graphql/index.js';
import { RealtimePriceArgs } from './price.input.js';
import { PriceSource } from './price-source.js';
import { realtimePriceIn } from './realtime-price.js';

@Resolver()
export class PriceResolver implements Implements<'Query', 'realtimePrice'> {
  constructor(private readonly source: PriceSource) {}

  @Query()
  @Public()
  realtimePrice(@Args() { currency }: RealtimePriceArgs): Result<'Query', 'realtimePrice'> {
    const price = realtimePriceIn(currency ?? 'USD', this.source);
    if (!price) throw InvalidInput.of('Invalid currency.', 'INVALID_INPUT', ['currency']);
    return price;
  }
}
