import { ApiKeySettings } from '../access/api-key/index.js';
import { EgressSettings } from '../edge/egress/index.js';
import { EventSettings } from '../platform/events/index.js';
import { GraphqlSettings } from '../edge/graphql/index.js';
import { WorkSettings } from '../edge/http/index.js';
import { IdentitySettings } from '../access/identity/index.js';
import { IdempotencySettings } from '../edge/idempotency/index.js';
import { LightningSettings, LndSettings } from '../money/lightning/index.js';
import { MailSettings } from '../edge/mail/index.js';
import { BrandSettings } from '../edge/page/index.js';
import { OAuthSettings } from '../access/oauth/index.js';
import { OnChainSettings } from '../money/onchain/index.js';
import { PaymentSettings, PayoutSettings } from '../money/payment/index.js';
import { DealerSettings, PriceSettings } from '../money/price/index.js';
import { OperatorSettings } from '../edge/auth/index.js';
import { RateLimitSettings } from '../edge/rate-limit/index.js';
import { SessionSettings } from '../access/session/index.js';
import { SocketSettings } from '../edge/socket/index.js';
import { PasswordSettings, RegistrationSettings } from '../access/user/index.js';
import { AccountLimitSettings } from '../money/wallet/index.js';

/** The settings of each folder, in the order of the documents. The class is the injection token of its one frozen instance. */
export const SETTINGS = {
  LightningSettings,
  LndSettings,
  OnChainSettings,
  PriceSettings,
  DealerSettings,
  AccountLimitSettings,
  PaymentSettings,
  PayoutSettings,
  IdempotencySettings,
  EventSettings,
  RegistrationSettings,
  PasswordSettings,
  IdentitySettings,
  SessionSettings,
  OperatorSettings,
  ApiKeySettings,
  OAuthSettings,
  RateLimitSettings,
  GraphqlSettings,
  WorkSettings,
  SocketSettings,
  EgressSettings,
  MailSettings,
  BrandSettings,
} as const;

/** Values past the environment, by the names of the classes: for tests, also of what is a constant for operators. */
export type SettingsOverrides = { readonly [Name in keyof typeof SETTINGS]?: Partial<InstanceType<(typeof SETTINGS)[Name]>> };
