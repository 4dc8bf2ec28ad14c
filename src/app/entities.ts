import { AdjustmentEntity } from '../operator/adjustment/index.js';
import { ApiKeyEntity, ApiKeyRefusalEntity } from '../access/api-key/index.js';
import { BudgetEntity, SpendingBoundEntity } from '../money/budget/index.js';
import { IdempotencyEntity } from '../edge/idempotency/index.js';
import { ForgottenInvoiceEntity, InvoiceEntity, SettlementCursorEntity, SettlementReviewEntity } from '../money/invoice/index.js';
import {
  LedgerAccountEntity,
  LedgerAuditMarkEntity,
  LedgerAuditTotalEntity,
  LedgerEntryEntity,
  LedgerHoldEntity,
  LedgerJournalEntity,
} from '../money/ledger/index.js';
import {
  AccessTokenEntity,
  ClientEntity,
  ClientSecretEntity,
  CodeEntity,
  GrantEntity,
  InteractionEntity,
  RefreshTokenEntity,
  SigningKeyEntity,
} from '../access/oauth/index.js';
import { OperatorActionEntity } from '../platform/operator-action/index.js';
import { NodePaymentEntity, PaymentEntity, PaymentFreezeEntity, PaymentNodeEntity } from '../money/payment/index.js';
import { PricePointEntity, PriceRateEntity } from '../money/price/index.js';
import { DatabaseMarkEntity, ReconciliationEntity } from '../operator/reconciliation/index.js';
import { RateLimitWindowEntity } from '../edge/rate-limit/index.js';
import { SessionEntity } from '../access/session/index.js';
import { TransactionEntity } from '../money/transaction/index.js';
import { InvitationEntity, UserEntity } from '../access/user/index.js';
import { AccountEntity, WalletEntity } from '../money/wallet/index.js';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from '../money/webhook/index.js';

export const ENTITIES = [
  AccessTokenEntity,
  AccountEntity,
  AdjustmentEntity,
  ApiKeyEntity,
  ApiKeyRefusalEntity,
  BudgetEntity,
  ClientEntity,
  ClientSecretEntity,
  CodeEntity,
  DatabaseMarkEntity,
  ForgottenInvoiceEntity,
  GrantEntity,
  IdempotencyEntity,
  InteractionEntity,
  InvitationEntity,
  InvoiceEntity,
  LedgerAccountEntity,
  LedgerEntryEntity,
  LedgerAuditMarkEntity,
  LedgerAuditTotalEntity,
  LedgerHoldEntity,
  LedgerJournalEntity,
  NodePaymentEntity,
  OperatorActionEntity,
  PaymentFreezeEntity,
  PaymentEntity,
  PaymentNodeEntity,
  PricePointEntity,
  PriceRateEntity,
  RateLimitWindowEntity,
  ReconciliationEntity,
  RefreshTokenEntity,
  SessionEntity,
  SettlementCursorEntity,
  SettlementReviewEntity,
  SigningKeyEntity,
  SpendingBoundEntity,
  TransactionEntity,
  UserEntity,
  WalletEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
];
