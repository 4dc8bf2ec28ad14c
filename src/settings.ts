import { EgressSettings } from './egress/index.js';
import { EventSettings } from './events/index.js';
import { GraphqlSettings } from './graphql/index.js';
import { WorkSettings } from './http/index.js';
import { IdempotencySettings } from './idempotency/index.js';
import { LightningSettings, LndSettings } from './lightning/index.js';
import { OAuthSettings } from './oauth/index.js';
import { PaymentSettings } from './payment/index.js';
import { DealerSettings, PriceSettings } from './price/index.js';
import { RateLimitSettings } from './rate-limit/index.js';
import { SessionSettings } from './session/index.js';
import { SocketSettings } from './socket/index.js';
import { RegistrationSettings } from './user/index.js';
import { AccountLimitSettings } from './wallet/index.js';

/** The settings of each folder, in the order of the documents. The class is the injection token of its one frozen instance. */
export const SETTINGS = {
  LightningSettings,
  LndSettings,
  PriceSettings,
  DealerSettings,
  AccountLimitSettings,
  PaymentSettings,
  IdempotencySettings,
  EventSettings,
  RegistrationSettings,
  SessionSettings,
  OAuthSettings,
  RateLimitSettings,
  GraphqlSettings,
  WorkSettings,
  SocketSettings,
  EgressSettings,
} as const;

/** Values past the environment, by the names of the classes: for tests, also of what is a constant for operators. */
export type SettingsOverrides = { readonly [Name in keyof typeof SETTINGS]?: Partial<InstanceType<(typeof SETTINGS)[Name]>> };
