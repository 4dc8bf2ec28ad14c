export { displayAmountOf, frozenPrice, listCurrencies, type FrozenPrice } from './display-price.js';
export { PriceModule } from './price.module.js';
export {
  centsCosting,
  centsWorth,
  dealerRateOf,
  DealerService,
  msatOfBill,
  msatOfBillNow,
  wholeMsatOf,
  type BillNow,
  type DealerRate,
} from './dealer.service.js';
export { PriceService } from './price.service.js';
export { PriceSource, type PriceQuote } from './price-source.js';
export { centsOfMsat, dollarsOfCents, msatOfCents, bitcoinOfMsat, quoteInBitcoin, quoteOfCent, quoteOfSat, type Quote } from './quote.js';
export { followPriceOfSat, followRealtimePrice } from './price-feed.js';
export { hasPriceIn, realtimePriceOf, requireCurrency, UNAVAILABLE, type RealtimePriceRow } from './realtime-price.js';
export { DealerSettings } from './dealer.settings.js';
export { PriceSettings } from './price.settings.js';
