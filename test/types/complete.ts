import type { ApiKeyResolver, UserApiKeysResolver } from '../../src/access/api-key/api-key.resolver.js';
import type { ApiKeyRow } from '../../src/access/api-key/index.js';
import type { Principal } from '../../src/edge/auth/index.js';
import type { RowType } from '../../src/edge/graphql/codegen-base.js';
import type { Nothing, Unresolved } from '../../src/edge/graphql/typed.js';
import type {
  InvoiceStatusQueryResolver,
  InvoiceStatusSubscriptionResolver,
} from '../../src/money/invoice/status/invoice-status.resolver.js';
import type {
  AccountInvoicesResolver,
  InvoiceResolver,
  LnInvoiceResolver,
  WalletInvoicesResolver,
} from '../../src/money/invoice/invoice.resolver.js';
import type { InvoiceMutationResolver } from '../../src/money/invoice/issue/invoice-mutation.resolver.js';
import type { InvoiceRow } from '../../src/money/invoice/index.js';
import type { AccountDepositsResolver, WalletDepositsResolver } from '../../src/money/onchain/receive/deposit.resolver.js';
import type { OnChainAddressResolver } from '../../src/money/onchain/receive/onchain-address.resolver.js';
import type { PaymentSendRow } from '../../src/money/payment/index.js';
import type { FeeProbeResolver } from '../../src/money/payment/probe/fee-probe.resolver.js';
import type { PriceResolver, PriceSubscriptionResolver } from '../../src/money/price/price.resolver.js';
import type { OnChainFeeResolver, OnChainPaymentResolver, OnChainSettlementResolver } from '../../src/money/payment/onchain.resolver.js';
import type { PaymentResolver, PaymentSendPayloadResolver } from '../../src/money/payment/payment.resolver.js';
import type { AccountTransactionsResolver, WalletTransactionsResolver } from '../../src/money/transaction/history.resolver.js';
import type { EmailResolver } from '../../src/access/signin/email/email.resolver.js';
import type { SessionResolver } from '../../src/access/session/session.resolver.js';
import type { OnChainSettlementRow, TransactionRow } from '../../src/money/transaction/index.js';
import type { TransactionResolver } from '../../src/money/transaction/transaction.resolver.js';
import type { UpdatesResolver } from '../../src/money/transaction/updates.resolver.js';
import type { UserRow } from '../../src/access/user/index.js';
import type { TotpResolver } from '../../src/access/session/totp.resolver.js';
import type { AuthorizationResolver } from '../../src/access/user/authorization.resolver.js';
import type { UserResolver } from '../../src/access/user/user.resolver.js';
import type {
  AccountLimitResolver,
  AccountResolver,
  DefaultWalletResolver,
  UserAccountResolver,
  AccountSettingsResolver,
  WalletResolver,
} from '../../src/money/wallet/account.resolver.js';
import type { AccountDeletionResolver } from '../../src/money/personal-data/account-deletion.resolver.js';
import type { GlobalsResolver } from '../../src/app/server/globals.resolver.js';
import type { AccountLimitRow, AccountRow, WalletRow } from '../../src/money/wallet/index.js';
import type { WebhookEndpointRow } from '../../src/money/webhook/index.js';
import type { AccountWebhooksResolver, EndpointDeliveriesResolver } from '../../src/money/webhook/webhook.resolver.js';

/**
 * Compiles only when everything in the SDL is resolved: every root field by a method, every field of a type that has rows by its row or
 * by a method, with the right names and types and with notice taken of every argument. Nothing here runs. When it stops compiling, the
 * line says which type, and the message which fields.
 */

type Queries =
  | AuthorizationResolver
  | DefaultWalletResolver
  | GlobalsResolver
  | InvoiceStatusQueryResolver
  | OnChainFeeResolver
  | PriceResolver
  | UserResolver;
type WalletFields = WalletDepositsResolver | WalletResolver | WalletInvoicesResolver | WalletTransactionsResolver;

export interface Left {
  Query: Nothing<Unresolved<'Query', unknown, Queries>>;
  Mutation: Nothing<
    Unresolved<
      'Mutation',
      unknown,
      | AccountDeletionResolver
      | AccountSettingsResolver
      | ApiKeyResolver
      | FeeProbeResolver
      | InvoiceMutationResolver
      | OnChainAddressResolver
      | OnChainPaymentResolver
      | PaymentResolver
      | UserResolver
      | SessionResolver
      | EmailResolver
      | TotpResolver
      | AccountWebhooksResolver
    >
  >;
  Subscription: Nothing<
    Unresolved<'Subscription', unknown, InvoiceStatusSubscriptionResolver | PriceSubscriptionResolver | UpdatesResolver>
  >;
  ApiKey: Nothing<Unresolved<'ApiKey', ApiKeyRow, ApiKeyResolver>>;
  Authorization: Nothing<Unresolved<'Authorization', Principal, AuthorizationResolver>>;
  BTCWallet: Nothing<Unresolved<'BTCWallet', WalletRow, WalletFields>>;
  CallbackEndpoint: Nothing<Unresolved<'CallbackEndpoint', WebhookEndpointRow, EndpointDeliveriesResolver>>;
  ConsumerAccount: Nothing<
    Unresolved<
      'ConsumerAccount',
      AccountRow,
      AccountResolver | AccountDepositsResolver | AccountInvoicesResolver | AccountTransactionsResolver | AccountWebhooksResolver
    >
  >;
  LnInvoice: Nothing<Unresolved<'LnInvoice', InvoiceRow, LnInvoiceResolver | InvoiceResolver>>;
  LnNoAmountInvoice: Nothing<Unresolved<'LnNoAmountInvoice', InvoiceRow, InvoiceResolver>>;
  OneDayAccountLimit: Nothing<Unresolved<'OneDayAccountLimit', AccountLimitRow, AccountLimitResolver>>;
  PaymentSendPayload: Nothing<Unresolved<'PaymentSendPayload', PaymentSendRow, PaymentSendPayloadResolver>>;
  SettlementViaOnChain: Nothing<Unresolved<'SettlementViaOnChain', OnChainSettlementRow, OnChainSettlementResolver>>;
  Transaction: Nothing<Unresolved<'Transaction', TransactionRow, TransactionResolver>>;
  UsdWallet: Nothing<Unresolved<'UsdWallet', WalletRow, WalletFields>>;
  User: Nothing<Unresolved<'User', UserRow, UserResolver | TotpResolver | UserAccountResolver | UserApiKeysResolver>>;
}

/** Interfaces resolve no fields themselves; every other type with rows has its line above. */
export type Unlisted = Nothing<Exclude<RowType, keyof Left | 'Account' | 'AccountLimit' | 'Invoice' | 'Wallet'>>;
