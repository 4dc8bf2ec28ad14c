import { Module } from '@nestjs/common';
import { DealerService } from './dealer.service.js';
import { FixedPrice } from './fixed-price.js';
import { HttpPrice } from './http-price.js';
import { PriceSubscriptionResolver } from './price-subscription.resolver.js';
import { PriceHistoryService } from './price-history.service.js';
import { PriceWatch } from './price.watch.js';
import { PriceResolver } from './price.resolver.js';
import { PriceService } from './price.service.js';

@Module({
  providers: [
    DealerService,
    FixedPrice,
    HttpPrice,
    PriceHistoryService,
    PriceWatch,
    PriceService,
    PriceResolver,
    PriceSubscriptionResolver,
  ],
  exports: [DealerService, PriceService],
})
export class PriceModule {}
