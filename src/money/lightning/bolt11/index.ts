export { cachePubkey, decodeInvoice } from './decode.js';
export { encodeInvoice, type InvoiceToEncode } from './encode.js';
export { Bolt11Error, type Bolt11Invoice, type RouteHop } from './invoice.js';
