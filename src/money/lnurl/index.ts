export { LnurlInvoiceService, type LnurlPayer } from './lnurl-invoice.service.js';
export { LnurlModule } from './lnurl.module.js';
export { urlOfAddress, urlOfLnurl } from './lnurl-text.js';
export { isOwnDomain } from './lnurl-text.js';
export { PayOfferService } from './pay-offer.service.js';
