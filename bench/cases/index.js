import { authentication, tokenAuthentication } from './authentication.js';
import dpop from './dpop.js';
import { idleMemory, warmStart } from './footprint.js';
import intraledger from './intraledger.js';
import invoice from './invoice.js';
import { knownAddresses } from './known-address.js';
import { me, meWithHistory } from './me.js';
import payInvoice from './pay-invoice.js';
import refresh from './refresh.js';
import update from './update.js';
import { webhook, webhookSlowest } from './webhook.js';

/** In order of execution: `pay-invoice` pays the invoices of `invoice`. */
export const CASES = [
  me,
  meWithHistory,
  intraledger,
  invoice,
  payInvoice,
  refresh,
  authentication,
  dpop,
  tokenAuthentication,
  update,
  webhook,
  webhookSlowest,
  idleMemory,
  warmStart,
  ...knownAddresses,
];
