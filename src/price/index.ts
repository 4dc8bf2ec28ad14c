export { PriceModule } from './price.module.js';
export { PriceSource } from './price-source.js';
export { centsOfMsat, dollarsOfCents, msatOfCents, quoteOfCent, quoteOfSat, type Quote } from './quote.js';
export { realtimePriceIn, type RealtimePriceRow } from './realtime-price.js';
