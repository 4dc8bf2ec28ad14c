export { frozenPrice, type FrozenPrice } from './frozen-price.js';
export { PricePointEntity, PriceRateEntity } from './price.entity.js';
export { PriceModule } from './price.module.js';
export { PriceService } from './price.service.js';
export { PriceSource, type PriceQuote } from './price-source.js';
export { centsOfMsat, dollarsOfCents, msatOfCents, bitcoinOfMsat, quoteInBitcoin, quoteOfCent, quoteOfSat, type Quote } from './quote.js';
export { followPriceOfSat, followRealtimePrice, type PriceTick } from './price-ticks.js';
export { realtimePriceOf, requireCurrency, type RealtimePriceRow } from './realtime-price.js';
