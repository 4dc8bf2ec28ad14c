import type { Type } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import * as adjustment from '../operator/adjustment/index.js';
import * as apiKey from '../access/api-key/index.js';
import * as budget from '../money/budget/index.js';
import * as call from '../access/call/index.js';
import * as factor from '../access/factor/index.js';
import * as identity from '../access/identity/index.js';
import * as idempotency from '../edge/idempotency/index.js';
import * as invoice from '../money/invoice/index.js';
import * as ledger from '../money/ledger/index.js';
import * as notice from '../access/notice/index.js';
import * as oauth from '../access/oauth/index.js';
import * as operatorAction from '../platform/operator-action/index.js';
import * as payment from '../money/payment/index.js';
import * as price from '../money/price/index.js';
import * as rateLimit from '../edge/rate-limit/index.js';
import * as reconciliation from '../operator/reconciliation/index.js';
import * as session from '../access/session/index.js';
import * as transaction from '../money/transaction/index.js';
import * as user from '../access/user/index.js';
import * as wallet from '../money/wallet/index.js';
import * as webhook from '../money/webhook/index.js';

const FOLDERS = {
  adjustment,
  apiKey,
  budget,
  call,
  factor,
  idempotency,
  identity,
  invoice,
  ledger,
  notice,
  oauth,
  operatorAction,
  payment,
  price,
  rateLimit,
  reconciliation,
  session,
  transaction,
  user,
  wallet,
  webhook,
};

const isEntity = (exported: unknown): exported is Type => getMetadataArgsStorage().tables.some(({ target }) => target === exported);

/** The entities of Sluice: what these folders export with `@Entity()`. */
export const ENTITIES = Object.values(FOLDERS).flatMap((folder) => Object.values<unknown>(folder).filter(isEntity));
