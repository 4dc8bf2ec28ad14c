/**
 * The public surface: all that extensions and organisations which build on Sluice may import, and what semantic versioning counts, beside
 * `schema.graphql` and `testing/`. Everything else may change in any release. docs/extending.md shows it in use.
 */

// Starting the application, and adding to it.
export { createApp, type CreateAppOptions, type Sluice } from './bootstrap.js';
export { serve } from './serve.js';
export { Refused, runCommand, UsageError, type Arguments, type Command, type CommandOptions } from './cli/index.js';
export { CoreModule, type Extension } from './extension.js';
export { Config, ConfigError, demoSecretKey, loadConfig, type Network } from './config/index.js';

// Who may call a handler, and who is asking.
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

// Types of resolvers, held to the SDL; the configuration of codegen that makes them; and refusals of bad input.
export { codegenBase, rowsFrom } from './graphql/codegen-base.js';
export {
  InvalidInput,
  type Complete,
  type FieldOf,
  type Implements,
  type Nothing,
  type Problem,
  type Result,
  type Unresolved,
} from './graphql/index.js';

// What everybody needs: injected by class, from global modules.
export { Database, isUniqueViolation, type Statement, type Tx } from './database/index.js';
export { Events, mapped, type EventMap, type Stream, type Topic } from './events/index.js';
export { Clock } from './kernel/clock.js';

// Services of the core: import CoreModule to inject them.
export { AccountService, HistoryService, transactionOf, type HistoryScope, type WalletAddress } from './wallet/index.js';
export { InvoiceService, type InvoiceCancellation, type InvoiceCreation, type InvoiceWish } from './invoice/index.js';
export { PaymentService, type Payer, type PaymentOutcome, type PaymentRefusal, type SendFailure } from './payment/index.js';
export { PriceSource } from './price/index.js';
export { UserService } from './user/index.js';

// What resolvers of the core hand around for the types of the SDL; amounts in millisatoshis or cents.
export type { ApiKeyRow } from './api-key/index.js';
export type { InvoiceRow } from './invoice/index.js';
export type { PaymentSendRow } from './payment/index.js';
export type { UserRow } from './user/index.js';
export type { AccountRow, Currency, TransactionRecord, TransactionRow, WalletRow } from './wallet/index.js';

// A Lightning back end of one's own: the port, what it speaks of, and BOLT 11.
export {
  decodeInvoice,
  encodeInvoice,
  LightningBackend,
  LightningNode,
  PAYMENT_FAILURES,
  type Bolt11Invoice,
  type CancelledInvoice,
  type CreatedInvoice,
  type FailedPayment,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type InvoiceToEncode,
  type NodeInfo,
  type PaymentFailure,
  type PaymentIndex,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
  type SettledPayment,
} from './lightning/index.js';
