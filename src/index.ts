/** The public surface: what extensions and organisations that build on Sluice may import. Everything else may change in any release. */
export { createApp, type CreateAppOptions, type Sluice } from './bootstrap.js';
export { announce } from './demo/index.js';
export type { Extension } from './extension.js';
export {
  AnyCredential,
  Public,
  Scopes,
  SessionOnly,
  userIdOf,
  type GqlContext,
  type Principal,
  type ScopeDefinition,
} from './auth/index.js';
export { Config, loadConfig } from './config/index.js';
export { Database, type Statement, type Tx } from './database/index.js';
export { Events, type EventMap } from './events/index.js';
export { codegenBase, rowsFrom } from './graphql/codegen-base.js';
export { InvalidInput, type Complete, type Implements, type Nothing, type Result, type Unresolved } from './graphql/index.js';
export { Clock } from './kernel/clock.js';
export {
  LightningBackend,
  PAYMENT_FAILURES,
  type CancelledInvoice,
  type CreatedInvoice,
  type FailedPayment,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceStatus,
  type NodeInfo,
  type PaymentFailure,
  type PaymentOutcome as BackendPaymentOutcome,
  type PaymentRequest,
  type PaymentStatus,
  type SettledPayment,
} from './lightning/index.js';
export { PriceSource } from './price/index.js';
export { UserService, type UserRow } from './user/index.js';
export type { ApiKeyRow } from './api-key/index.js';
export { AccountService, HistoryService, type AccountRow, type TransactionRow, type WalletRow } from './wallet/index.js';
export { InvoiceService, type InvoiceRow } from './invoice/index.js';
export { PaymentService, type PaymentOutcome, type PaymentSendRow } from './payment/index.js';
