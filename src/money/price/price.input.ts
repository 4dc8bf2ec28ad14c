import { Min } from 'class-validator';
import type { QueryCurrencyConversionEstimationArgs } from '../../generated/graphql.js';
import type { Complete } from '../../edge/graphql/index.js';

export class CurrencyConversionArgs implements Complete<QueryCurrencyConversionEstimationArgs> {
  @Min(0, { message: 'A valid amount is required' }) amount!: number;
  currency!: string;
}
