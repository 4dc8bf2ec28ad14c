import { AdjustmentEntity } from './adjustment/index.js';
import { ApiKeyEntity, ApiKeyRefusalEntity } from './api-key/index.js';
import { BudgetEntity, SpendingBoundEntity } from './budget/index.js';
import { IdempotencyEntity } from './idempotency/index.js';
import { ForgottenInvoiceEntity, InvoiceEntity, SettlementCursorEntity, SettlementReviewEntity } from './invoice/index.js';
import {
  LedgerAccountEntity,
  LedgerAuditMarkEntity,
  LedgerAuditTotalEntity,
  LedgerEntryEntity,
  LedgerHoldEntity,
  LedgerJournalEntity,
} from './ledger/index.js';
import {
  AccessTokenEntity,
  ClientEntity,
  ClientSecretEntity,
  CodeEntity,
  GrantEntity,
  InteractionEntity,
  RefreshTokenEntity,
  SigningKeyEntity,
} from './oauth/index.js';
import { OperatorActionEntity } from './operator-action/index.js';
import { NodePaymentEntity, PaymentEntity, PaymentFreezeEntity, PaymentNodeEntity } from './payment/index.js';
import { PricePointEntity, PriceRateEntity } from './price/index.js';
import { DatabaseMarkEntity, ReconciliationEntity } from './reconciliation/index.js';
import { RateLimitWindowEntity } from './rate-limit/index.js';
import { SessionEntity } from './session/index.js';
import { TransactionEntity } from './transaction/index.js';
import { InvitationEntity, UserEntity } from './user/index.js';
import { AccountEntity, WalletEntity } from './wallet/index.js';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook/index.js';

/** Every table of the core. */
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
