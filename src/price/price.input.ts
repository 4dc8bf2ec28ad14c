import type { QueryCurrencyConversionEstimationArgs, QueryRealtimePriceArgs } from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

export class RealtimePriceArgs implements Complete<QueryRealtimePriceArgs> {
  currency!: string | null | undefined;
}

export class CurrencyConversionArgs implements Complete<QueryCurrencyConversionEstimationArgs> {
  amount!: number;
  currency!: string;
}
