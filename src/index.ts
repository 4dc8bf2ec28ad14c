/**
 * The public surface: all that extensions and organisations that build on Sluice may import, and what semantic versioning covers, with
 * `schema.graphql` and `testing/`. Everything else may change in any release. docs/extending.md shows it in use.
 */

// Starting and extending the application.
export type { AppOptions } from './app/app.module.js';
export { createApp, type CreateAppOptions, type Sluice } from './app/bootstrap.js';
export { serve } from './app/serve.js';
export {
  CommandError,
  runCommand,
  UsageError,
  type Arguments,
  type Command,
  type CommandOptions,
  type RunCommandOptions,
} from './cli/index.js';
export { CoreModule } from './app/core-module.js';
export type { Extension } from './app/extension.js';
export { Config, ConfigError, demoSecretKey, loadConfig, type Addresses, type Network } from './platform/config/index.js';

// Permissions of handlers, and the caller's identity.
export {
  AnyCredential,
  CurrentPrincipal,
  CurrentVisitor,
  Operator,
  PageSession,
  Public,
  Scopes,
  SessionOnly,
  userIdOf,
  type Credential,
  type CredentialStrategy,
  type GqlContext,
  type Principal,
  type ScopeDefinition,
  type Visitor,
} from './edge/auth/index.js';

// Pages: their controllers, forms and errors, the layout of signed-in people and its parts.
export type { FastifyReply, FastifyRequest } from 'fastify';
export {
  BoundTo,
  buttonLink,
  csrfField,
  empty,
  errorSummary,
  facts,
  field,
  headline,
  html,
  notice,
  PageController,
  PageError,
  PageForm,
  PageRenderer,
  seeOther,
  shellPage,
  table,
  untrustedText,
  type CsrfBinding,
  Form,
  type FormBinding,
  type FormProblem,
  type Html,
  type HtmlValue,
  type MenuEntry,
  type ShellFrame,
} from './edge/page/index.js';

// A page that waits for a node, or for another server, holds no turn of the database meanwhile.
export { WaitsElsewhere } from './edge/http/index.js';

// Resolver types, checked against the SDL; the codegen configuration that generates them; and errors of invalid input.
export { codegenBase, rowsFrom } from './edge/graphql/codegen-base.js';
export {
  InvalidInput,
  type Complete,
  type FieldOf,
  type Implements,
  type Nothing,
  type Problem,
  type Result,
  type Unresolved,
} from './edge/graphql/index.js';

// Global modules: injected by class.
export {
  columns,
  Database,
  fragment,
  isUniqueViolation,
  mayTakeLong,
  sql,
  type Columns,
  type Fragment,
  type RowOf,
  type Statement,
  type Tx,
} from './platform/database/index.js';
export {
  Events,
  mapped,
  type ConsumeEvent,
  type ConsumeEvents,
  type ConsumeOptions,
  type EventMap,
  type EventPage,
  type KeyedEvent,
  type PickKeys,
  type ReadRows,
  type RowSource,
  type Stream,
  type Topic,
} from './platform/events/index.js';
export {
  Jobs,
  type AddOptions,
  type JobHandler,
  type JobRun,
  type JobSchedule,
  type ScheduleHandler,
  type TaskOptions,
} from './platform/job/index.js';
export { Clock } from './platform/kernel/clock.js';
export { Metrics } from './platform/metrics/index.js';

// Mail: Mail.send adds a message to a transaction, and a transport of your own delivers it.
export { Mail, MailTransport, type MailLine, type MailMessage, type MailText } from './edge/mail/index.js';

// Signing in: an identity provider of your own proves who a person is, and SessionOpener.open begins their session.
export {
  IdentityProvider,
  type IdentityLogout,
  type IdentityOutcome,
  type IdentityRefusal,
  type IdentityRequest,
  type IdentityStart,
  type ProvedIdentity,
} from './access/identity/index.js';
export { SessionOpener, type IdentityProof, type SignInCaller, type SignInOutcome } from './access/session/index.js';

// Services of the core: import CoreModule to inject them.
export { AccountService, type WalletRef } from './money/wallet/index.js';
export { HistoryService, type HistoryScope } from './money/transaction/index.js';
export {
  InvoiceService,
  type CreateInvoiceParams,
  type InvoiceCancellation,
  type InvoiceCreation,
  type InvoiceIntent,
} from './money/invoice/index.js';
export type { PaymentVeto } from './edge/auth/index.js';
export { PaymentPolicy, type PaymentIntent } from './money/payment/index.js';
export {
  PaymentService,
  type Payer,
  type PaymentOrder,
  type PaymentOutcome,
  type PaymentRefusal,
  type SendFailure,
} from './money/payment/index.js';
export { PriceService, PriceSource, type PriceQuote } from './money/price/index.js';
export { UserService, type NewPerson, type RegistrationIntent, type UserCreateOutcome } from './access/user/index.js';

// Rate limits: of handlers by decorator, elsewhere by the limiter.
export {
  RateLimit,
  RateLimiter,
  type ExtensionRateLimit,
  type PolicyName,
  type RateLimitPolicy,
  type RateLimitResult,
} from './edge/rate-limit/index.js';

// The rows that the core's resolvers return for SDL types; amounts in millisatoshis or cents.
export type { ApiKeyRow } from './access/api-key/index.js';
export type { InvoiceRow } from './money/invoice/index.js';
export type { PaymentSendRow } from './money/payment/index.js';
export type { UserRow } from './access/user/index.js';
export type { OnChainSettlementRow, TransactionRow } from './money/transaction/index.js';
export type { AccountLimitRow, AccountRow, Currency, WalletRow } from './money/wallet/index.js';
export type { WebhookEndpointRow } from './money/webhook/index.js';

// For a custom on-chain back end: the port, and its types.
export {
  ONCHAIN_PORT_VERSION,
  OnChainBackend,
  OnChainWallet,
  readAddress,
  type ChainAddress,
  type ChainTip,
  type FeeRate,
  type Finalized,
  type Funded,
  type FundRequest,
  type Lease,
  type NewAddress,
  type OnChainCapability,
  type Outpoint,
  type Published,
  type TransactionPage,
  type TransactionStatus,
  type WalletBalance,
  type WalletTransaction,
} from './money/onchain/index.js';

// For a custom Lightning back end: the port, its types, and BOLT 11.
export {
  decodeInvoice,
  encodeInvoice,
  LIGHTNING_CAPABILITIES,
  LIGHTNING_PORT_VERSION,
  LightningBackend,
  LightningNode,
  PAYMENT_FAILURES,
  type Bolt11Invoice,
  type CancelledInvoice,
  type ChannelBalance,
  type CreatedInvoice,
  type FailedPayment,
  type FeeProbe,
  type FeeProbeRequest,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type InvoiceToEncode,
  type LightningCapability,
  type NodeInfo,
  type NodePayment,
  type PaymentFailure,
  type PaymentIndex,
  type PaymentPage,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
  type SettledPayment,
} from './money/lightning/index.js';
