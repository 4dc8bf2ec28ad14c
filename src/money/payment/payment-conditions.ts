import { Injectable } from '@nestjs/common';
import { DealerSettings, PriceService } from '../price/index.js';
import { ACCOUNT_LIMIT, AccountLimitSettings, limitPrice, listAccountLimits } from '../wallet/index.js';
import { PaymentSettings } from './payment.settings.js';

interface BeginConditions {
  /** Null: there is no price to be trusted. */
  readonly centsPerBtc: bigint | null;
  readonly dealerLimitCents: number;
  readonly accountLimits: readonly string[] | null;
  /** Cents for one bitcoin, at which limits count bitcoin. */
  readonly limitPrice: bigint;
}

/** The input of `payment_begin` beside the payments: prices of now, and the operator's limits. */
@Injectable()
export class PaymentConditions {
  private readonly accountLimits: readonly string[] | null;

  constructor(
    private readonly prices: PriceService,
    private readonly dealer: DealerSettings,
    private readonly limits: AccountLimitSettings,
    private readonly settings: PaymentSettings,
  ) {
    const records = listAccountLimits(limits);
    this.accountLimits = records && ACCOUNT_LIMIT.records(records);
  }

  /** How long a caller waits for the state of its payment. */
  get waitMs(): number {
    return this.settings.waitMs;
  }

  now(): BeginConditions {
    const { centsPerBtc } = this.prices;
    return {
      centsPerBtc,
      dealerLimitCents: this.dealer.DEALER_LIMIT_CENTS,
      accountLimits: this.accountLimits,
      limitPrice: limitPrice(this.limits, centsPerBtc),
    };
  }
}
