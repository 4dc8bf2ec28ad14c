import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { dealerRateOf, type DealerRate } from './dealer-rate.js';
import { PriceService } from './price.service.js';

/** The prices at which customers exchange bitcoin and dollars now. SQL functions exchange: `migrations/functions/dealer.sql`. */
@Injectable()
export class DealerService {
  constructor(
    private readonly prices: PriceService,
    private readonly config: Config,
  ) {}

  get rate(): DealerRate {
    return dealerRateOf(this.prices.quote, this.config.dealer.spreadPpm);
  }
}
