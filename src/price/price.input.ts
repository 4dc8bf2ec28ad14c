import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  ExchangeCurrencyUnit,
  PriceGraphRange,
  PriceInput as PriceInputType,
  QueryBtcPriceListArgs,
  QueryCurrencyConversionEstimationArgs,
  QueryRealtimePriceArgs,
  RealtimePriceInput as RealtimePriceInputType,
  SubscriptionPriceArgs,
  SubscriptionRealtimePriceArgs,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

export class BtcPriceListArgs implements Complete<QueryBtcPriceListArgs> {
  range!: PriceGraphRange;
}

export class RealtimePriceArgs implements Complete<QueryRealtimePriceArgs> {
  currency!: string | null | undefined;
}

export class CurrencyConversionArgs implements Complete<QueryCurrencyConversionEstimationArgs> {
  amount!: number;
  currency!: string;
}

export class PriceInput implements Complete<PriceInputType> {
  amount!: number;
  amountCurrencyUnit!: ExchangeCurrencyUnit;
  priceCurrencyUnit!: ExchangeCurrencyUnit;
}

export class PriceArgs implements Complete<SubscriptionPriceArgs> {
  @ValidateNested() @Type(() => PriceInput) input!: PriceInput;
}

export class RealtimePriceInput implements Complete<RealtimePriceInputType> {
  currency!: string | null | undefined;
}

export class FollowRealtimePriceArgs implements Complete<SubscriptionRealtimePriceArgs> {
  @ValidateNested() @Type(() => RealtimePriceInput) input!: RealtimePriceInput;
}
