export { LnurlInvoiceService, type LnurlPayer } from './lnurl-client.js';
export { LnurlModule } from './lnurl.module.js';
export { payeeOf, urlOfAddress, urlOfLnurl, isOwnDomain } from './lnurl-text.js';
export { PayOfferService } from './pay-offer.service.js';
