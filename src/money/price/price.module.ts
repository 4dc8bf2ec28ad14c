import { Module } from '@nestjs/common';
import { DealerService } from './dealer.service.js';
import { HttpPrice } from './http-price.js';
import { PriceHistoryService } from './price-history.service.js';
import { PriceWatch } from './price.watch.js';
import { PriceResolver, PriceSubscriptionResolver } from './price.resolver.js';
import { FixedPrice, PriceService } from './price.service.js';

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
