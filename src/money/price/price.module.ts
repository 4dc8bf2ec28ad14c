import { Module } from '@nestjs/common';
import { DealerService } from './dealer.service.js';
import { HttpPrice } from './http-price.js';
import { PriceHistoryService } from './price-history.service.js';
import { PriceResolver, PriceSubscriptionResolver } from './price.resolver.js';
import { FixedPrice, PriceService } from './price.service.js';

@Module({
  providers: [DealerService, FixedPrice, HttpPrice, PriceHistoryService, PriceService, PriceResolver, PriceSubscriptionResolver],
  exports: [DealerService, PriceService],
})
export class PriceModule {}
