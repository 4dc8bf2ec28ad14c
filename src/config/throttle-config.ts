import type { Environment } from './environment.js';
import { VARIABLES } from './variables.js';

/** At most `limit` calls in a window of `windowMs` milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/** The rate limits, of calls and of failed sign-ins, with their variables. A handler with several counts them in this order. */
const POLICIES = {
  registration: 'THROTTLE_REGISTRATION',
  authorizationPage: 'THROTTLE_AUTHORIZATION_PAGE',
  address: 'THROTTLE_ADDRESS',
  principal: 'THROTTLE_PRINCIPAL',
  account: 'THROTTLE_ACCOUNT',
  anonymousInvoice: 'THROTTLE_ANONYMOUS_INVOICE',
  anonymousInvoiceFirst: 'THROTTLE_ANONYMOUS_INVOICE_FIRST',
  anonymousInvoiceAll: 'THROTTLE_ANONYMOUS_INVOICE_ALL',
  invoiceRecipient: 'THROTTLE_INVOICE_RECIPIENT',
  invoiceForOther: 'THROTTLE_INVOICE_FOR_OTHER',
  signInAccount: 'THROTTLE_SIGN_IN_ACCOUNT',
  signInAddress: 'THROTTLE_SIGN_IN_ADDRESS',
  signInDevice: 'THROTTLE_SIGN_IN_DEVICE',
  tokenClient: 'THROTTLE_TOKEN_CLIENT',
  tokenAddress: 'THROTTLE_TOKEN_ADDRESS',
} as const satisfies Readonly<Record<string, keyof Environment>>;

export type ThrottleConfig = Readonly<Record<keyof typeof POLICIES, Rate>>;

export function throttleOf(env: Environment): ThrottleConfig {
  const rates = Object.entries(POLICIES).map(([name, variable]) => {
    const [limit = 0, seconds = 0] = env[variable].split('/').map(Number);
    return [name, Object.freeze({ limit, windowMs: seconds * 1000 })];
  });
  return Object.fromEntries(rates) as ThrottleConfig;
}

/** A rate limit as the operator sees it. */
export interface ThrottlePolicy {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly variable: string;
  readonly counts: string;
}

export const throttlePolicies = (throttle: ThrottleConfig): ThrottlePolicy[] =>
  Object.entries(POLICIES).map(([name, variable]) => {
    const { limit, windowMs } = throttle[name as keyof ThrottleConfig];
    return { name, limit, windowSeconds: windowMs / 1000, variable, counts: VARIABLES.Throttles[variable] };
  });
