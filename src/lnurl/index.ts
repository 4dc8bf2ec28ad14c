export { LnurlModule } from './lnurl.module.js';
