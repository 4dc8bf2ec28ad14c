import { Injectable } from '@nestjs/common';
import { dealerRateOf, type DealerRate } from './dealer-rate.js';
import { PriceService } from './price.service.js';
import { DealerSettings } from './dealer.settings.js';

/** The prices at which customers exchange bitcoin and dollars now. SQL functions exchange: `migrations/functions/dealer.sql`. */
@Injectable()
export class DealerService {
  constructor(
    private readonly prices: PriceService,
    private readonly settings: DealerSettings,
  ) {}

  get rate(): DealerRate {
    return dealerRateOf(this.prices.quote, this.settings.spreadPpm);
  }
}
