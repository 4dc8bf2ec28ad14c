export { LnurlModule } from './lnurl.module.js';
export { PayOfferService } from './pay-offer.service.js';
