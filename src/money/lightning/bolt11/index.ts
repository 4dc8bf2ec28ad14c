export { cachePubkey, decodeInvoice, type Decoded } from './decode.js';
export { encodeInvoice, type InvoiceToEncode } from './encode.js';
export { Bolt11Error, type Bolt11Invoice, type Bolt11Problem, type FallbackAddress, type RouteHop } from './invoice.js';
