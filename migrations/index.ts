import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Event1764000001000 } from './1764000001000-event.js';
import { Ledger1764000002000 } from './1764000002000-ledger.js';
import { Simulator1764000003000 } from './1764000003000-simulator.js';
import { User1764000004000 } from './1764000004000-user.js';
import { ApiKey1764000005000 } from './1764000005000-api-key.js';
import { Oauth1764000006000 } from './1764000006000-oauth.js';
import { Wallet1764000007000 } from './1764000007000-wallet.js';
import { Invoice1764000008000 } from './1764000008000-invoice.js';
import { Payment1764000009000 } from './1764000009000-payment.js';
import { Idempotency1764000010000 } from './1764000010000-idempotency.js';
import { EventConsumer1795452499387 } from './1795452499387-event-consumer.js';
import { HistoryWithoutPrice1795467596533 } from './1795467596533-history-without-price.js';
import { InvoiceWithoutPrice1795467596534 } from './1795467596534-invoice-without-price.js';
import { RateLimitWindow1795468514347 } from './1795468514347-rate-limit-window.js';
import { PaymentFreeze1795493516498 } from './1795493516498-payment-freeze.js';
import { Invitation1795494007237 } from './1795494007237-invitation.js';
import { LedgerAuditMark1795513907364 } from './1795513907364-ledger-audit-mark.js';
import { Reconciliation1795530000000 } from './1795530000000-reconciliation.js';
import { PaymentFreezeCause1795530000001 } from './1795530000001-payment-freeze-cause.js';
import { PaymentKind1795561203761 } from './1795561203761-payment-kind.js';
import { PaymentKindOfAll1795561203762 } from './1795561203762-payment-kind-of-all.js';
import { LedgerAdjustmentAccount1795561323326 } from './1795561323326-ledger-adjustment-account.js';
import { Adjustment1795561323822 } from './1795561323822-adjustment.js';
import { SimulatorHold1795561800931 } from './1795561800931-simulator-hold.js';
import { SettlementReturn1795563082687 } from './1795563082687-settlement-return.js';
import { Webhook1795565707463 } from './1795565707463-webhook.js';
import { InvoiceWithoutAmount1795565812065 } from './1795565812065-invoice-without-amount.js';
import { SimulatorRestores1795576120525 } from './1795576120525-simulator-restores.js';
import { Dealer1795576889546 } from './1795576889546-dealer.js';
import { DealerOfAll1795576890345 } from './1795576890345-dealer-of-all.js';
import { PriceHistory1795577242959 } from './1795577242959-price-history.js';
import { HistoryDisplayCurrency1795577243238 } from './1795577243238-history-display-currency.js';
import { WebhookOfInvoice1795581315834 } from './1795581315834-webhook-of-invoice.js';
import { Budget1795581315984 } from './1795581315984-budget.js';
import { Spending1795597813714 } from './1795597813714-spending.js';
import { PaymentOfApp1795614143540 } from './1795614143540-payment-of-app.js';
import { PaymentHashes1795653819996 } from './1795653819996-payment-hashes.js';
import { HistoryHashes1795653819997 } from './1795653819997-history-hashes.js';
import { HistoryOfAccount1795679600000 } from './1795679600000-history-of-account.js';
import { InvoiceOfAccount1795679600001 } from './1795679600001-invoice-of-account.js';
import { OauthGrantEnded1795694097303 } from './1795694097303-oauth-grant-ended.js';
import { Job1795724500000 } from './1795724500000-job.js';
import { WebhookJob1795724500001 } from './1795724500001-webhook-job.js';
import { PaymentCase1795725042000 } from './1795725042000-payment-case.js';
import { ApiKeyOfApp1795777647404 } from './1795777647404-api-key-of-app.js';
import { OauthGrantCallbacks1795777647534 } from './1795777647534-oauth-grant-callbacks.js';
import { SecretKeyCode1795778000000 } from './1795778000000-secret-key-code.js';
import { IdempotencyEffects1795778163432 } from './1795778163432-idempotency-effects.js';
import { HistoryClock1795778163433 } from './1795778163433-history-clock.js';
import { UserDisabled1795779238381 } from './1795779238381-user-disabled.js';
import { PaymentDispatcher1795781734000 } from './1795781734000-payment-dispatcher.js';
import { PaymentLine1795781734001 } from './1795781734001-payment-line.js';
import { InvoiceByLnurl1795783402812 } from './1795783402812-invoice-by-lnurl.js';
import { PaymentPayee1795786212044 } from './1795786212044-payment-payee.js';
import { WebhookEndpointHealth1795786455045 } from './1795786455045-webhook-endpoint-health.js';
import { InvoiceByOwnerToForget1795787417530 } from './1795787417530-invoice-by-owner-to-forget.js';
import { Notice1795800100431 } from './1795800100431-notice.js';
import { UserResetLimit1795800100432 } from './1795800100432-user-reset-limit.js';
import { EmailRegistration1795800100433 } from './1795800100433-email-registration.js';
import { Factor1795801135001 } from './1795801135001-factor.js';
import { SessionFactor1795801135002 } from './1795801135002-session-factor.js';
import { OauthApplication1795801735101 } from './1795801735101-oauth-application.js';
import { ApiKeyRoll1795803535601 } from './1795803535601-api-key-roll.js';
import { CredentialCall1795803535602 } from './1795803535602-credential-call.js';
import { UserNameFormer1795812000077 } from './1795812000077-user-name-former.js';
import { AdjustmentOfDeleted1795812000178 } from './1795812000178-adjustment-of-deleted.js';
import { AccessPause1796000035001 } from './1796000035001-access-pause.js';
import { Identity1796000040001 } from './1796000040001-identity.js';
import { SessionIdentity1796000040002 } from './1796000040002-session-identity.js';
import { IdentityRemoval1796000041001 } from './1796000041001-identity-removal.js';
import { RetiredFunctions1796000060001 } from './1796000060001-retired-functions.js';
import { SimulatedChain1796000070001 } from './1796000070001-simulated-chain.js';
import { LedgerOnchainAccounts1796000080001 } from './1796000080001-ledger-onchain-accounts.js';
import { HistoryOnchain1796000080002 } from './1796000080002-history-onchain.js';
import { HistoryOnchainOfAll1796000080003 } from './1796000080003-history-onchain-of-all.js';
import { Deposit1796000080004 } from './1796000080004-deposit.js';
import { Payout1796000090001 } from './1796000090001-payout.js';
import { PaymentKindOnchain1796000090002 } from './1796000090002-payment-kind-onchain.js';
import { HistoryOfChain1796000100001 } from './1796000100001-history-of-chain.js';
import { ReconciliationPayouts1796000100002 } from './1796000100002-reconciliation-payouts.js';
import { OauthClientProfile1796000190001 } from './1796000190001-oauth-client-profile.js';
import { OauthGrantTerms1796000200001 } from './1796000200001-oauth-grant-terms.js';
import { OauthPushedRequest1796000200003 } from './1796000200003-oauth-pushed-request.js';
import { OauthAssertion1796000200004 } from './1796000200004-oauth-assertion.js';
import { OauthCodeKey1796000220002 } from './1796000220002-oauth-code-key.js';
import { OauthRefreshTokenKey1796000220004 } from './1796000220004-oauth-refresh-token-key.js';
import { OauthAccessTokenBinding1796000210001 } from './1796000210001-oauth-access-token-binding.js';
import { BudgetAsk1796000240001 } from './1796000240001-budget-ask.js';
import { PaymentApproval1796000240002 } from './1796000240002-payment-approval.js';
import { HistoryApproval1796000240003 } from './1796000240003-history-approval.js';
import { OauthClientDocument1796000260001 } from './1796000260001-oauth-client-document.js';
import { JobWritten1796000260002 } from './1796000260002-job-written.js';
import { RetiredFunctionsOfEarlier1796000280001 } from './1796000280001-retired-functions-of-earlier.js';

export { FUNCTIONS } from './functions.js';

const ALL = [
  Event1764000001000,
  Ledger1764000002000,
  Simulator1764000003000,
  User1764000004000,
  ApiKey1764000005000,
  Oauth1764000006000,
  Wallet1764000007000,
  Invoice1764000008000,
  Payment1764000009000,
  Idempotency1764000010000,
  EventConsumer1795452499387,
  HistoryWithoutPrice1795467596533,
  InvoiceWithoutPrice1795467596534,
  RateLimitWindow1795468514347,
  PaymentFreeze1795493516498,
  Invitation1795494007237,
  LedgerAuditMark1795513907364,
  Reconciliation1795530000000,
  PaymentFreezeCause1795530000001,
  PaymentKind1795561203761,
  PaymentKindOfAll1795561203762,
  LedgerAdjustmentAccount1795561323326,
  Adjustment1795561323822,
  SimulatorHold1795561800931,
  SettlementReturn1795563082687,
  Webhook1795565707463,
  InvoiceWithoutAmount1795565812065,
  SimulatorRestores1795576120525,
  Dealer1795576889546,
  DealerOfAll1795576890345,
  PriceHistory1795577242959,
  HistoryDisplayCurrency1795577243238,
  WebhookOfInvoice1795581315834,
  Budget1795581315984,
  Spending1795597813714,
  PaymentOfApp1795614143540,
  PaymentHashes1795653819996,
  HistoryHashes1795653819997,
  HistoryOfAccount1795679600000,
  InvoiceOfAccount1795679600001,
  OauthGrantEnded1795694097303,
  Job1795724500000,
  WebhookJob1795724500001,
  PaymentCase1795725042000,
  ApiKeyOfApp1795777647404,
  OauthGrantCallbacks1795777647534,
  SecretKeyCode1795778000000,
  IdempotencyEffects1795778163432,
  HistoryClock1795778163433,
  UserDisabled1795779238381,
  PaymentDispatcher1795781734000,
  PaymentLine1795781734001,
  InvoiceByLnurl1795783402812,
  PaymentPayee1795786212044,
  WebhookEndpointHealth1795786455045,
  InvoiceByOwnerToForget1795787417530,
  Notice1795800100431,
  UserResetLimit1795800100432,
  EmailRegistration1795800100433,
  Factor1795801135001,
  SessionFactor1795801135002,
  OauthApplication1795801735101,
  ApiKeyRoll1795803535601,
  CredentialCall1795803535602,
  UserNameFormer1795812000077,
  AdjustmentOfDeleted1795812000178,
  AccessPause1796000035001,
  Identity1796000040001,
  SessionIdentity1796000040002,
  IdentityRemoval1796000041001,
  RetiredFunctions1796000060001,
  SimulatedChain1796000070001,
  LedgerOnchainAccounts1796000080001,
  HistoryOnchain1796000080002,
  HistoryOnchainOfAll1796000080003,
  Deposit1796000080004,
  Payout1796000090001,
  PaymentKindOnchain1796000090002,
  HistoryOfChain1796000100001,
  ReconciliationPayouts1796000100002,
  OauthClientProfile1796000190001,
  OauthGrantTerms1796000200001,
  OauthPushedRequest1796000200003,
  OauthAssertion1796000200004,
  OauthAccessTokenBinding1796000210001,
  OauthCodeKey1796000220002,
  OauthRefreshTokenKey1796000220004,
  BudgetAsk1796000240001,
  PaymentApproval1796000240002,
  HistoryApproval1796000240003,
  OauthClientDocument1796000260001,
  JobWritten1796000260002,
  RetiredFunctionsOfEarlier1796000280001,
];

/**
 * The order in which the SQL functions use tables. A migration that locks several of them begins with `LOCK TABLE` in this order: while it
 * waits, it holds nothing that the transaction it waits for will want.
 */
export const LOCK_ORDER = [
  'app_user',
  'adjustment',
  'oauth_application',
  'oauth_client',
  'oauth_client_secret',
  'oauth_access_token',
  'account',
  'wallet',
  'invoice',
  'invoice_forgotten',
  'payment',
  'transaction',
  'webhook_endpoint',
];

/** A released migration never changes. These lock their tables one after the other, and the dealer's in the opposite order. */
const RELEASED: Readonly<Record<string, string>> = {
  InvoiceWithoutPrice1795467596534: 'LOCK TABLE invoice, invoice_forgotten IN ACCESS EXCLUSIVE MODE',
  Adjustment1795561323822: 'LOCK TABLE app_user, wallet IN SHARE ROW EXCLUSIVE MODE',
  Dealer1795576889546: 'LOCK TABLE invoice, invoice_forgotten, payment IN ACCESS EXCLUSIVE MODE',
  WebhookOfInvoice1795581315834: 'LOCK TABLE wallet, invoice, webhook_endpoint IN ACCESS EXCLUSIVE MODE',
};

type MigrationClass = new () => MigrationInterface;

function lockingInOrder(Released: MigrationClass): MigrationClass {
  const locks = RELEASED[Released.name];
  if (locks === undefined) return Released;
  const named = {
    [Released.name]: class extends Released {
      override async up(runner: QueryRunner): Promise<void> {
        await runner.query(locks);
        await super.up(runner);
      }
    },
  };
  return named[Released.name] ?? Released;
}

/** Every migration, in order. Append-only: a migration that was released never changes. */
export const MIGRATIONS = ALL.map(lockingInOrder);
